import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FileRecord } from '#server/ports/conversation-stores.js'
import { filesPath, uploaded } from '../../support/files/upload.js'
import { removeOverdueRows } from '../../support/overdue-rows.js'
import { databaseKinds, type RunningService, startService } from '../../support/start-service.js'
import { makeTestClock } from '../../support/test-clock.js'

describe.each(databaseKinds)('the expiry of files on %s', (database) => {
  const clock = makeTestClock()
  let running: RunningService
  const statusOf = async (id: string) => (await running.client.call('GET', `${filesPath}/${id}`)).status
  async function removeOldFiles(): Promise<number> {
    const { expiredFiles, unfinishedUploads } = await removeOverdueRows(running.service.database, clock)
    return expiredFiles + unfinishedUploads
  }
  const now = () => clock.now().toISOString()

  beforeAll(async () => {
    running = await startService({ database, clock, env: { PARLEY_TEMPORARY_FILE_TTL_SECONDS: '600' } })
  })

  afterAll(() => running.close())

  test('makes a file unavailable after its time, and its rows are removed later [FILE-8]', async () => {
    const { files } = running.service.database.stores
    const { id, expiresAt } = await uploaded(running, { name: 'a.txt', content: 'Words of a file.' })
    expect(expiresAt).toBe(new Date(clock.now().getTime() + 600_000).toISOString())
    clock.advance(599_999)
    expect(await statusOf(id)).toBe(200)
    expect(await removeOldFiles()).toBe(0)
    clock.advance(1)
    expect(await statusOf(id)).toBe(404)
    expect((await running.client.call('GET', `${filesPath}/${id}/content`)).status).toBe(404)
    expect((await running.client.call('DELETE', `${filesPath}/${id}`)).status).toBe(404)
    expect(await files.findMany(running.organizationId, [id], now())).toEqual([])
    expect(await files.chunk(id, 0)).not.toBeNull()

    const { id: younger } = await uploaded(running, { name: 'b.txt', content: 'Other words.' })
    expect(await removeOldFiles()).toBe(1)
    expect([await files.chunk(id, 0), await files.passages(id, 0, 10)]).toEqual([null, []])
    expect(await statusOf(younger)).toBe(200)
  })

  test('removes an unfinished upload after an hour, and it is never visible [FILE-8]', async () => {
    const { files } = running.service.database.stores
    const id = uuid()
    const record: FileRecord = {
      ...{ id, organizationId: running.organizationId, version: 1, createdAt: now(), updatedAt: now() },
      ...{ name: 'a.txt', contentType: 'text/plain', sizeBytes: 0, kind: 'text', characterCount: 0 },
      expiresAt: '2999-01-01T00:00:00.000Z',
      completedAt: null,
    }
    await files.insert(record)
    await files.addChunk(id, 0, Buffer.from('Words.'))
    expect(await statusOf(id)).toBe(404)
    expect(await files.findMany(running.organizationId, [id], now())).toEqual([])
    clock.advance(60 * 60_000)
    await removeOldFiles()
    expect(await files.chunk(id, 0)).toEqual(Buffer.from('Words.'))
    clock.advance(1)
    expect(await removeOldFiles()).toBeGreaterThan(0)
    expect(await files.chunk(id, 0)).toBeNull()
  })
})
