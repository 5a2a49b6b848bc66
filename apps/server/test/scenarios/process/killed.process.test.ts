import { join } from 'node:path'
import type { AuditLogRecord, AuditLogVerification, Page, Task } from '@parley/contract'
import { afterAll, describe, expect, test } from 'vitest'
import { type ApiClient, makeApiClient } from '../../support/api-client.js'
import {
  bootstrap,
  cleanUp,
  credentials,
  newMigratedDirectory,
  newPostgres,
  patiently,
  slow,
  startParley,
} from '../../support/process/parley-process.js'
import { databaseKinds, startService } from '../../support/start-service.js'

afterAll(cleanUp)

const env = {
  ...bootstrap,
  PARLEY_SECRET: 'a secret for tests that is long enough',
  PARLEY_RATE_LIMIT_PER_MINUTE: '1000000',
  LOG_LEVEL: 'warn',
}
const writerCount = 12
const enough = 80

/** Returns the items of all pages of a list. */
async function readAll<Item>(client: ApiClient, path: string): Promise<Item[]> {
  const items: Item[] = []
  for (;;) {
    const { body } = await client.call<Page<Item>>('GET', `${path}&Limit=200&Offset=${items.length}`)
    if (body.items.length === 0) return items
    items.push(...body.items)
  }
}

/** Creates tasks until the service is gone. `onCreated` is called for each acknowledged one. */
async function createTasks(client: ApiClient, onCreated: (id: string) => void): Promise<void> {
  for (;;) {
    const answer = await client
      .call<Task>('POST', '/api/v1/Task', { body: { title: 'Written in a hurry' } })
      .catch(() => null)
    if (answer === null) return
    expect(answer.status).toBe(201)
    onCreated(answer.body.id)
  }
}

describe('a process that is killed while it writes', slow, () => {
  test.each(databaseKinds)(
    'loses no acknowledged write and does not block its successor: %s [DB-3] [DB-4]',
    async (kind) => {
      const settings = {
        ...env,
        ...(kind === 'postgres'
          ? await newPostgres()
          : { PARLEY_DATA_DIR: join(await newMigratedDirectory(), 'data') }),
      }
      const killed = await startParley({ env: settings })
      const client = makeApiClient(await killed.ready(), credentials)
      const acknowledged: string[] = []
      const writers = Array.from({ length: writerCount }, () =>
        createTasks(client, (id) => {
          acknowledged.push(id)
          if (acknowledged.length === enough) killed.signal('SIGKILL')
        }),
      )
      await Promise.all(writers)
      expect(await killed.ended).toEqual({ code: null, signal: 'SIGKILL' })
      expect(acknowledged.length).toBeGreaterThanOrEqual(enough)

      const { client: reader } = await startService({ database: kind, env: settings })
      const stored = (await readAll<Task>(reader, '/api/v1/Task?')).map(({ id }) => id)
      expect(acknowledged.filter((id) => !stored.includes(id))).toEqual([])
      expect(stored.length).toBeLessThanOrEqual(acknowledged.length + writerCount)

      // A change that was not acknowledged may be stored, but never without its audit record.
      const records = await readAll<AuditLogRecord>(reader, '/api/v1/AuditLog?Action=task.create')
      expect(records.map(({ resourceId }) => resourceId).sort()).toEqual([...stored].sort())
      const verify = async () =>
        (await reader.call<AuditLogVerification>('GET', '/api/v1/AuditLog/verify')).body
      // Each poll reads the whole log.
      await expect
        .poll(verify, { ...patiently, interval: 200 })
        .toMatchObject({ valid: true, unsealedCount: 0 })
      expect((await verify()).checkedCount).toBeGreaterThan(stored.length)
    },
  )
})

describe('a data directory in use', slow, () => {
  test('is refused to a second process without disturbing the first [DB-4]', async () => {
    const directory = await newMigratedDirectory()
    const settings = { ...env, PARLEY_DATA_DIR: join(directory, 'data') }
    const { client } = await startService({ database: 'embedded', env: settings })
    const second = await startParley({ directory, env })
    expect(await second.ended).toEqual({ code: 1, signal: null })
    expect(second.stderr()).toContain(
      `Parley cannot start: The data directory ${directory}/data is in use by process ${process.pid} `,
    )
    expect(second.stderr().trimEnd()).not.toContain('\n')
    const { status } = await client.call('POST', '/api/v1/Task', { body: { title: 'Undisturbed' } })
    expect(status).toBe(201)
  })
})
