import { expect, test } from 'vitest'
import { patiently, slow } from '../../support/process/parley-process.js'
import { countLockWaits, withPostgresClient } from '../../support/services/postgres-connection.js'
import { startService } from '../../support/start-service.js'

test(
  'a request that waits too long for a database connection gets 503 Busy with Retry-After [BND-13]',
  slow,
  async () => {
    const { client, databaseUrl, close } = await startService()
    await withPostgresClient(databaseUrl ?? '', async (locker) => {
      await locker.query('begin')
      await locker.query('lock table agent')
      // One organization may use this many database connections. All other requests wait.
      const calls = Array.from({ length: 7 }, () => client.call('GET', '/api/v1/Agent'))
      await expect.poll(() => countLockWaits(locker), patiently).toBeGreaterThan(0)
      const { status, body, headers } = await Promise.race(calls)
      expect([status, headers.get('retry-after')]).toEqual([503, '1'])
      expect(body).toMatchObject({
        errorCode: 'Busy',
        detail: expect.stringContaining('too many requests'),
      })
      await locker.query('rollback')
      const statuses = (await Promise.all(calls)).map((answer) => answer.status)
      expect(statuses).toContain(200)
    })
    await close()
  },
)
