import { expect, test } from 'vitest'
import { patiently, slow } from '../../support/process/parley-process.js'
import { countLockWaits, withPostgresClient } from '../../support/services/postgres-connection.js'
import { startService } from '../../support/start-service.js'

test(
  'a request that gets no place at the database in time is 503 Busy, with Retry-After [BND-13]',
  slow,
  async () => {
    const { client, databaseUrl, close } = await startService()
    await withPostgresClient(databaseUrl ?? '', async (locker) => {
      await locker.query('begin')
      await locker.query('lock table agent')
      // As many as one organization may have at the database, whatever the machine; all others wait in line.
      const calls = Array.from({ length: 7 }, () => client.call('GET', '/api/v1/Agent'))
      await expect.poll(() => countLockWaits(locker), patiently).toBeGreaterThan(0)
      const { status, body, headers } = await Promise.race(calls)
      expect([status, headers.get('retry-after')]).toEqual([503, '1'])
      expect(body).toMatchObject({
        errorCode: 'Busy',
        detail: expect.stringContaining('Too many requests'),
      })
      await locker.query('rollback')
      const statuses = (await Promise.all(calls)).map((answer) => answer.status)
      expect(statuses).toContain(200)
    })
    await close()
  },
)
