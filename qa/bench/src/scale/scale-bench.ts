import { randomUUID } from 'node:crypto'
import { startParley } from '@parley/stage/service/parley-service'
import { startPostgres } from '@parley/stage/service/postgres-process'
import { describeTable } from '@parley/stage/terminal/table'
import pg from 'pg'
import { addUse, countSessions, type Form, rowsRead, searchConversations } from './scaled-statements.js'

export interface ScaleBenchOptions {
  readonly instances: number
  readonly sessions: number
  readonly seconds: number
}

/** The average number of concurrent transactions of one instance that count responses. */
const connectionsOfEach = 2
const forms = ['before', 'after'] as const satisfies readonly Form[]
const secret = 'a secret for the bench that is long enough'

/**
 * Measures the database work of many instances for one organization on one PostgreSQL server. It measures responses
 * counted per second, rows read to count running sessions, and scans of messages for one search. `before`
 * uses the earlier statements.
 */
export async function runScaleBench(options: ScaleBenchOptions): Promise<void> {
  const postgres = await startPostgres()
  // The service creates the schema and an organization.
  const parley = await startParley({ env: { DATABASE_URL: postgres.url, PARLEY_SECRET: secret } })
  const { organizationId } = parley.credentials
  await parley.stop()
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  try {
    const rows = [['', ...forms]]
    const counted = await both((form) => countResponses(postgres.url, organizationId, form, options))
    rows.push(['responses counted a second', ...counted.map(({ perSecond }) => perSecond.toFixed(0))])
    rows.push([
      'share of samples in which a transaction waits for a lock',
      ...counted.map(({ waiting }) => percent(waiting)),
    ])
    await addSessions(client, organizationId, options)
    const read = await both((form) => rowsRead(client, countSessions(form, organizationId)))
    rows.push([`rows read to count ${options.sessions} sessions`, ...read.map(({ rows }) => String(rows))])
    const search = await both((form) => rowsRead(client, searchConversations(form, organizationId)))
    rows.push(['scans of messages for a search', ...search.map(({ scans }) => String(scans))])
    const { instances } = options
    console.log(`\n${instances} instances, one organization\n\n${describeTable(rows)}`)
  } finally {
    await client.end()
    await postgres.stop()
  }
}

/** Measures both forms sequentially, so that each has the machine to itself. */
async function both<Result>(measure: (form: Form) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  for (const form of forms) results.push(await measure(form))
  return results
}

const percent = (share: number) => `${(share * 100).toFixed(0)} %`

async function countResponses(
  url: string,
  organizationId: string,
  form: Form,
  { instances, seconds }: ScaleBenchOptions,
): Promise<{ readonly perSecond: number; readonly waiting: number }> {
  const pools = Array.from(
    { length: instances },
    () => new pg.Pool({ connectionString: url, max: connectionsOfEach, application_name: 'scale' }),
  )
  const agents = Array.from({ length: 10 }, () => randomUUID())
  const endsAt = performance.now() + seconds * 1000
  let count = 0
  const work = async (pool: pg.Pool, number: number) => {
    const client = await pool.connect()
    while (performance.now() < endsAt) {
      const agentId = agents[(count + number) % agents.length] ?? organizationId
      await client.query(addUse(form), [organizationId, agentId, randomUUID()])
      count += 1
    }
    client.release()
  }
  const working = Promise.all(
    pools.flatMap((pool) => Array.from({ length: connectionsOfEach }, (_, number) => work(pool, number))),
  )
  const waiting = await shareOfWaits(url, endsAt)
  await working
  await Promise.all(pools.map((pool) => pool.end()))
  return { perSecond: count / seconds, waiting }
}

/**
 * Samples the server. Returns the share of active transactions that wait for a lock of another transaction.
 */
async function shareOfWaits(url: string, endsAt: number): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  let [active, waiting] = [0, 0]
  while (performance.now() < endsAt) {
    const { rows } = await client.query<{ active: number; waiting: number }>(
      `select count(*)::integer as active, count(*) filter (where wait_event_type = 'Lock')::integer as waiting
       from pg_stat_activity where application_name = 'scale' and state = 'active'`,
    )
    active += rows[0]?.active ?? 0
    waiting += rows[0]?.waiting ?? 0
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  await client.end()
  return active === 0 ? 0 : waiting / active
}

/** Inserts running sessions of one organization on all instances directly into the database. */
async function addSessions(
  client: pg.Client,
  organizationId: string,
  { instances, sessions }: ScaleBenchOptions,
): Promise<void> {
  const ids = Array.from({ length: instances }, () => randomUUID())
  await client.query(
    `insert into instance_lease (instance_id, renewed_at) select unnest($1::uuid[]), now() + interval '1 hour'`,
    [ids],
  )
  await client.query('set session_replication_role = replica')
  await client.query(
    `insert into realtime_session (id, organization_id, version, created_at, updated_at, agent_id, conversation_id,
       state, token_hash, expires_at, started_at, instance_id, usage, setup)
     select gen_random_uuid(), $1::uuid, 1, now(), now(), gen_random_uuid(), gen_random_uuid(), 'consumed',
       gen_random_uuid()::text, now(), now(), ($2::uuid[])[1 + n % cardinality($2::uuid[])], '{}', '{}'
     from generate_series(1, $3::integer) as n`,
    [organizationId, ids, sessions],
  )
  // Replaces the trigger that normally counts them.
  await client.query(`insert into running_session_count
    select organization_id, instance_id, get_byte(uuid_send(id), 15) % 4, count(*) from realtime_session
    where state = 'consumed' and ended_at is null group by 1, 2, 3`)
  await client.query('reset session_replication_role')
  await client.query('analyze')
}
