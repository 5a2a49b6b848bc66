import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { makeCredentials, type ParleyService, startParley } from '@parley/stage/service/parley-service'
import { startPostgres } from '@parley/stage/service/postgres-process'
import { describeTable } from '@parley/stage/terminal/table'
import pg from 'pg'
import { fillLedger } from './fill-ledger.js'

export interface UsageBenchOptions {
  /** The number of records on PostgreSQL and on the embedded database. */
  readonly records: number
  readonly embeddedRecords: number
}

const day = 24 * 60 * 60 * 1000
const ago = (days: number) => new Date(Date.now() - days * day).toISOString()

const questions: Readonly<Record<string, () => string>> = {
  '30 days by day': () => 'GroupBy=day',
  'a year by day and model': () => `GroupBy=day,model&From=${ago(365)}`,
  'a year by agent': () => `GroupBy=agent&From=${ago(365)}`,
  '10 days by all six': () => `GroupBy=day,agent,key,model,connection,channel&From=${ago(10)}`,
  'one channel, a year by day': () => `GroupBy=day&From=${ago(365)}&Channel=realtime`,
  'from the middle of a day to that of another': () => `GroupBy=key&From=${ago(40.4)}&To=${ago(10.4)}`,
}

const rounds = 15

/** The records cover a year, so the service must not remove any of them. */
const keepAll = { PARLEY_KEEP_USAGE_DAYS: '400' }

/** Measures sums over many records, on both databases. */
export async function runUsageBench({ records, embeddedRecords }: UsageBenchOptions): Promise<void> {
  await onPostgres(records)
  await onEmbedded(embeddedRecords)
}

async function onPostgres(records: number): Promise<void> {
  const postgres = await startPostgres()
  const secret = 'a secret for the bench that is long enough'
  const parley = await startParley({
    env: { DATABASE_URL: postgres.url, PARLEY_SECRET: secret, ...keepAll },
  })
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  await fillLedger((text) => client.query(text), parley.credentials.organizationId, records)
  await client.end()
  await report(`PostgreSQL, ${records} records`, parley)
  await parley.stop()
  await postgres.stop()
}

/**
 * Only one process can open the database: the service creates it, the bench fills it, and the service opens
 * it again.
 */
async function onEmbedded(records: number): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-bench-usage-'))
  const credentials = makeCredentials()
  await (await startParley({ dataDir, credentials, env: keepAll })).stop()
  const database = await PGlite.create(join(dataDir, 'database'))
  await fillLedger((text) => database.exec(text), credentials.organizationId, records)
  await database.close()
  const parley = await startParley({ dataDir, credentials, env: keepAll })
  await report(`embedded, ${records} records`, parley)
  await parley.stop()
  await rm(dataDir, { recursive: true, force: true })
}

async function report(title: string, { api }: ParleyService): Promise<void> {
  const rows = [['', 'groups', 'median ms', 'slowest ms']]
  for (const [name, query] of Object.entries(questions)) {
    const times: number[] = []
    let groups = 0
    for (let round = 0; round < rounds; round += 1) {
      const startedAt = performance.now()
      const { items } = await api.call<{ items: unknown[] }>('GET', `/api/v1/Usage?${query()}`)
      times.push(performance.now() - startedAt)
      groups = items.length
    }
    times.sort((one, other) => one - other)
    const median = times[Math.floor(rounds / 2)] ?? 0
    rows.push([name, String(groups), median.toFixed(1), (times.at(-1) ?? 0).toFixed(1)])
  }
  console.log(`\n${title}\n\n${describeTable(rows)}`)
}
