import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { makePostgresChangeSignals } from '#server/adapters/database/postgres-change-signals.js'
import type { ChangeSignals, SignalledChange } from '#server/ports/changes.js'
import type { Log } from '#server/ports/log.js'
import { type PgBouncer, startPgBouncer } from '../../support/services/pgbouncer.js'
import { withPostgresClient } from '../../support/services/postgres-connection.js'
import { createPostgresDatabase, type PostgresDatabase } from '../../support/services/postgres-database.js'

const silent: Log = { debug() {}, info() {}, warn() {}, error() {} }

interface Instance {
  readonly signals: ChangeSignals
  readonly heard: (ReadonlySet<SignalledChange> | null)[]
  planned: number
}

let postgres: PostgresDatabase
let one: Instance
let other: Instance

function join(instanceId: string, url = postgres.url, log = silent): Instance {
  const signals = makePostgresChangeSignals({ url, log, instanceId })
  const instance: Instance = { signals, heard: [], planned: 0 }
  signals.onChanges((changes) => instance.heard.push(changes))
  signals.subscribe('tasks', () => {
    instance.planned += 1
  })
  return instance
}

const all = (instance: Instance) => instance.heard.flatMap((changes) => [...(changes ?? ['any'])])

beforeAll(async () => {
  postgres = await createPostgresDatabase()
  one = join('one')
  other = join('other')
  // Each instance first gets a signal that it now listens and may have missed changes.
  await vi.waitUntil(() => [one, other].every(({ heard }) => heard.length === 1), { timeout: 10_000 })
})

afterAll(async () => {
  await one.signals.close()
  await other.signals.close()
  await postgres.drop()
})

test('sends changes by organization and kind to other instances, each kind once [SIG-1]', async () => {
  one.heard.length = 0
  other.heard.length = 0
  for (let index = 0; index < 500; index += 1) one.signals.publishChange(index % 2 ? 'turns A' : 'sessions B')
  one.signals.publish('tasks')
  await vi.waitUntil(() => new Set(all(other)).size === 2 && other.planned === 2, { timeout: 10_000 })
  expect(new Set(all(other))).toEqual(new Set(['turns A', 'sessions B']))
  expect(other.heard.length).toBeLessThan(10)
  expect(one.heard).toEqual([])
})

test('reports that anything may have changed if more changes arrive than fit into one message [SIG-3]', async () => {
  other.heard.length = 0
  for (let index = 0; index < 500; index += 1) one.signals.publishChange(`turns ${index}`)
  await vi.waitUntil(() => other.heard.includes(null), { timeout: 10_000 })
})

test('listens again after a lost connection and reports that anything may have changed [SIG-2]', async () => {
  other.heard.length = 0
  await withPostgresClient(postgres.url, (client) =>
    client.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'parley signals' and datname = current_database()`),
  )
  await vi.waitUntil(() => other.heard.includes(null), { timeout: 20_000 })
  const hear = () => {
    one.signals.publishChange('approvals C')
    return all(other)
  }
  await expect.poll(hear, { timeout: 20_000 }).toContain('approvals C')
})

test('sends no signal behind a pooler that shares sessions, and instances poll for changes [SIG-2]', async () => {
  const bouncer: PgBouncer = await startPgBouncer(inject('postgresUrl'))
  const lines: string[] = []
  const log: Log = { ...silent, info: (_, line) => void lines.push(line) }
  const pooled = join('pooled', bouncer.rewriteUrl(postgres.url), log)
  await vi.waitUntil(() => lines.length > 0, { timeout: 10_000 })
  pooled.signals.publishChange('turns A')
  await pooled.signals.close()
  expect(pooled.heard).toEqual([])
  await bouncer.stop()
})
