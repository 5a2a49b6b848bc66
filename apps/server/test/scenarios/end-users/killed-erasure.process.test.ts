import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AuditLogVerification, EndUser, Page } from '@parley/contract'
import { openEmbeddedDatabase } from '@parley/embedded-database'
import { Client } from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { embeddedTablesWith, postgresTablesWith } from '../../support/end-users/stored-text.js'
import { uploaded } from '../../support/files/upload.js'
import { send } from '../../support/http/send.js'
import {
  bootstrap,
  cleanUp,
  newMigratedDirectory,
  newPostgres,
  patiently,
} from '../../support/process/parley-process.js'
import { startAnsweringModel } from '../../support/questions/answering-model.js'
import { ask } from '../../support/questions/ask.js'
import { makeTextAgent } from '../../support/realtime/text-agents.js'
import {
  type DatabaseKind,
  databaseKinds,
  type RunningService,
  startService,
} from '../../support/start-service.js'
import { nowhere } from '../../support/webhooks/nowhere.js'

afterAll(cleanUp)

const program = fileURLToPath(new URL('../../support/end-users/erasing-process.mjs', import.meta.url))
const canary = 'zqcanary'
/** The number of kills: 50 together, and fewer on the database that takes longer to open. */
const kills = { embedded: 15, postgres: 35 } as const satisfies Record<DatabaseKind, number>
const maxStatements = 80
const limit = { timeout: 240_000 }

type Settings = Readonly<Record<string, string | undefined>>

/** Returns a generator of numbers between 1 and `max`, always the same ones for a seed. */
function seeded(seed: number): (max: number) => number {
  let state = seed
  return (max) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    // The lowest bits of such numbers have short periods.
    return 1 + ((state >> 8) % max)
  }
}

/** Runs the statements on a database that no service has open. */
async function execute(kind: DatabaseKind, settings: Settings, statements: readonly string[]): Promise<void> {
  if (kind === 'postgres') {
    const client = new Client({ connectionString: settings.DATABASE_URL })
    await client.connect()
    for (const statement of statements) await client.query(statement)
    await client.end()
    return
  }
  const dataDir = settings.PARLEY_DATA_DIR ?? ''
  const { pool, close } = await openEmbeddedDatabase({ dataDir, onCrash: () => undefined })
  for (const statement of statements) await pool.query(statement)
  await close()
}

/** Copies rows with new ids, so that an erasure takes many transactions. */
const copyOf = (table: string, ids: string, from: string) =>
  `insert into "${table}" select made.* ${from}
   cross join lateral jsonb_populate_record(null::"${table}", to_jsonb(original) || ${ids}) as made`

const isUsers = `end_user_id in (select id from end_user where external_id like '${canary}%')`

const multiply = [
  // Copies need no events and counters.
  'set session_replication_role = replica',
  copyOf(
    'conversation',
    `jsonb_build_object('id', md5(original.id::text || number)::uuid)`,
    `from (select * from conversation where ${isUsers}) as original cross join generate_series(1, 20) as number`,
  ),
  copyOf(
    'message',
    `jsonb_build_object('id', md5(place.id::text || number)::uuid, 'origin_id', place.id, 'item_id', number::text,
      'conversation_id', place.id)`,
    `from (select * from message where content like '%${canary}%' limit 1) as original
      cross join (select id from conversation where ${isUsers}) as place cross join generate_series(1, 150) as number`,
  ),
  copyOf(
    'turn',
    `jsonb_build_object('id', md5(place.id::text || number)::uuid, 'conversation_id', place.id,
      'position', 1000 + number)`,
    `from (select * from turn where question like '%${canary}%' limit 1) as original
      cross join (select id from conversation where ${isUsers}) as place cross join generate_series(1, 3) as number`,
  ),
  copyOf(
    'turn_event',
    `jsonb_build_object('turn_id', place.id)`,
    `from (select * from turn_event where event like '%${canary}%' limit 1) as original
      cross join (select id from turn where position > 1000) as place`,
  ),
  'set session_replication_role = origin',
  `update end_user set erasure_started_at = now() where external_id like '${canary}%'`,
]

/** Creates end users with rows in all tables. Returns the data of another end user. */
async function fill(running: RunningService): Promise<string> {
  const model = await startAnsweringModel(() => [`Yes, ${canary}.`])
  const agentId = await makeTextAgent(running, model, { name: 'Concierge' })
  const post = (path: string, body: object, headers = {}) =>
    running.client.call<{ id: string }>('POST', `/api/v1/${path}`, { body, headers })
  await post('Webhook', { name: 'All', url: nowhere, events: ['*'] })
  for (const name of ['one', 'two', 'three']) {
    const externalUserId = `${canary}-${name}`
    const user = { externalUserId, metadata: { [canary]: canary }, variables: { who: canary } }
    const file = await uploaded(running, { name: `${canary}.txt`, content: `Words of ${canary}.` })
    const question = { question: `Why ${canary}?`, fileIds: [file.id], ...user }
    await ask(running, agentId, question, { 'idempotency-key': externalUserId })
    await post(`Agent/${agentId}/realtime-session`, { ...user, additionalInstructions: canary })
    const task = { title: canary, description: canary, agentId, ...user }
    await post('Task', task, { 'idempotency-key': `task of ${name}` })
  }
  const quiet = await startAnsweringModel(() => ['Yes.'])
  const other = await makeTextAgent(running, quiet, { name: 'Other' })
  await ask(running, other, { question: 'Mine?', externalUserId: 'other' })
  return readOther(running)
}

/** Returns the export of the end user that is not erased. */
async function readOther({ client, url, apiKey, organizationId }: RunningService): Promise<string> {
  const { body } = await client.call<Page<EndUser>>('GET', '/api/v1/EndUser?ExternalId=other')
  const path = `/api/v1/EndUser/${body.items[0]?.id}/export`
  const headers = { 'x-api-key': apiKey, 'x-org-id': organizationId }
  const { text } = await send(url, { method: 'GET', path, headers })
  // Deliveries continue in the background.
  return text
    .split('\n')
    .filter((line) => !line.startsWith('{"table":"webhook'))
    .join('\n')
}

describe('an erasure that is killed', limit, () => {
  test.each(databaseKinds)(
    'continues after many kills at random statements, and no text of the end users remains: %s [USR-14] [USR-15]',
    async (kind) => {
      const seed = Date.now() % 2 ** 31
      const random = seeded(seed)
      const settings: Readonly<Record<string, string>> = {
        ...bootstrap,
        PARLEY_SECRET: 'a secret for tests that is long enough',
        PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1',
        ...(kind === 'postgres'
          ? await newPostgres()
          : { PARLEY_DATA_DIR: join(await newMigratedDirectory(), 'data') }),
      }
      const before = await startService({ database: kind, env: settings })
      const other = await fill(before)
      await before.close()
      await execute(kind, settings, multiply)

      const points: string[] = []
      for (let index = 0; index < kills[kind]; index += 1) {
        const point = [String(random(maxStatements)), random(2) === 1 ? 'sent' : 'ended']
        points.push(point.join(' '))
        const child = spawn(process.execPath, [program, ...point], {
          env: { PATH: process.env.PATH, ...settings },
          stdio: ['ignore', 'ignore', 'inherit'],
        })
        const [code, signal] = await once(child, 'exit')
        expect({ code, signal }, `seed ${seed}: ${points.join(', ')}`).toEqual({
          code: null,
          signal: 'SIGKILL',
        })
      }
      process.stdout.write(`Erasures on ${kind} were killed at ${points.join(', ')} (seed ${seed}).\n`)

      const after = await startService({ database: kind, env: settings })
      const left = async () =>
        (await after.client.call<Page<EndUser>>('GET', `/api/v1/EndUser?Search=${canary}`)).body.totalCount
      await expect.poll(left, patiently).toBe(0)
      const verify = async () =>
        (await after.client.call<AuditLogVerification>('GET', '/api/v1/AuditLog/verify')).body
      await expect.poll(verify, patiently).toMatchObject({ valid: true, unsealedCount: 0 })
      expect(await readOther(after)).toBe(other)
      await after.close()
      const remaining =
        kind === 'postgres'
          ? await postgresTablesWith(settings.DATABASE_URL ?? '', canary)
          : await embeddedTablesWith(settings.PARLEY_DATA_DIR ?? '', canary)
      expect(remaining, `seed ${seed}`).toEqual([])
    },
  )
})
