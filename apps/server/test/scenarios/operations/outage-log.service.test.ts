import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PostgresDatabase } from '../../support/services/postgres-database.js'
import { startTcpProxy, type TcpProxy } from '../../support/services/tcp-proxy.js'
import { migratedDatabase, type RunningService, startService } from '../../support/start-service.js'

const patiently = { timeout: 30_000, interval: 50 }
const debug = 20

let postgres: PostgresDatabase
let proxy: TcpProxy
let running: RunningService

beforeAll(async () => {
  postgres = await migratedDatabase()
  const { hostname, port } = new URL(postgres.url)
  proxy = await startTcpProxy(hostname, Number(port))
  running = await startService({ env: { DATABASE_URL: proxy.rewriteUrl(postgres.url) } })
})

afterAll(async () => {
  await running.close()
  await proxy.close()
  await postgres.drop()
})

interface Line {
  readonly level: number
  readonly msg: string
  readonly seconds?: number
  readonly failures?: number
}

const lines = () => running.log.map((line) => JSON.parse(line) as Line)
const failedJobs = () => lines().filter(({ msg }) => msg === 'background work failed').length

test('an outage of the database takes two log lines, however many operations fail [WATCH-5]', {
  timeout: 60_000,
}, async () => {
  await running.client.call('GET', '/api/v1/Task')
  const before = lines().length
  await proxy.cut()
  for (let count = 0; count < 20; count += 1)
    expect((await running.client.call('GET', '/api/v1/Task')).status).toBe(503)
  expect((await running.client.call('GET', '/readyz')).status).toBe(503)
  await expect.poll(failedJobs, patiently).toBeGreaterThan(10)
  await proxy.restore()
  const isBack = () => lines().some(({ msg }) => msg === 'the database is available again')
  await expect.poll(isBack, patiently).toBe(true)
  const entries = lines()
    .slice(before)
    .filter(({ level, msg }) => level > debug && msg !== 'request')
  expect(entries.map(({ msg }) => msg)).toEqual([
    'the database is unavailable',
    'the database is available again',
  ])
  expect(entries[1]).toMatchObject({ seconds: expect.any(Number), failures: expect.any(Number) })
  expect(entries[1]?.failures).toBeGreaterThan(30)
})
