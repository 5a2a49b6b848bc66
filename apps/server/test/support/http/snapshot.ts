import { Client } from 'pg'
import type { RunningService } from '../start-service.js'

/**
 * Every table of an organization's resources, with the columns that must not change. Columns that reads
 * update are omitted.
 */
const keptColumns = {
  agent: 'it',
  agent_revision: 'it',
  connection: 'it',
  task: 'it',
  conversation: 'it',
  realtime_session: 'it',
  // The service itself runs and finishes approved calls.
  approval: 'jsonb_build_array(it.id, it.state, it.decided_by, it.reason)',
  api_key: "to_jsonb(it) - 'last_used_at'",
  member: 'it',
  invitation: 'it',
  mcp_authorization: 'it',
  mcp_grant: 'it',
  // A test of the phone connection updates its state.
  phone_connection: "to_jsonb(it) - 'failure' - 'checked_at'",
  phone_number: 'it',
  // The service itself dials calls.
  phone_call: 'it.id',
  // The service itself makes deliveries at any time.
  webhook: "to_jsonb(it) - 'failing_since' - 'is_failing_told'",
  // Seals are added later.
  audit_record: 'it.id',
} as const

const digests = Object.entries(keptColumns).map(
  ([table, kept]) =>
    `select '${table}' as name, count(*) as rows, sum(hashtextextended((${kept})::text, 0)) as digest
       from ${table} it where it.organization_id = $1`,
)

const clients = new WeakMap<RunningService, Promise<Client>>()

/**
 * Hashes all stored data of an organization inside the database, because most tests need many hashes. The
 * hash is a sum, so rows need no order.
 */
export async function snapshotOf(running: RunningService, organizationId: string): Promise<object> {
  const client = clients.get(running) ?? connectTo(running)
  clients.set(running, client)
  const { rows } = await (await client).query(digests.join(' union all '), [organizationId])
  return rows
}

async function connectTo({ databaseUrl }: RunningService): Promise<Client> {
  if (databaseUrl === null) throw new Error('Only a PostgreSQL server supports snapshots.')
  const client = new Client({ connectionString: databaseUrl })
  // The connection ends with the service, whose database is dropped first.
  client.on('error', () => {})
  await client.connect()
  return client
}
