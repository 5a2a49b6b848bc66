import { Client } from 'pg'
import type { RunningService } from '../start-service.js'

/** Every table of an organization's resources, and what of a row must stay; without what reading itself moves. */
const keptColumns = {
  agent: 'it',
  agent_revision: 'it',
  connection: 'it',
  task: 'it',
  conversation: 'it',
  realtime_session: 'it',
  // What was approved is run and finished by the service itself.
  approval: 'jsonb_build_array(it.id, it.state, it.decided_by, it.reason)',
  api_key: "to_jsonb(it) - 'last_used_at'",
  member: 'it',
  invitation: 'it',
  mcp_authorization: 'it',
  mcp_grant: 'it',
  // What is delivered meanwhile, and how, is the service's own doing.
  webhook: "to_jsonb(it) - 'failing_since' - 'is_failing_told'",
  // Seals are put on later.
  audit_record: 'it.id',
} as const

const digests = Object.entries(keptColumns).map(
  ([table, kept]) =>
    `select '${table}' as name, count(*) as rows, sum(hashtextextended((${kept})::text, 0)) as digest
       from ${table} it where it.organization_id = $1`,
)

const clients = new WeakMap<RunningService, Promise<Client>>()

/**
 * A digest of everything that is stored for an organization: made where it lies, as most tests take many of them. A sum,
 * for which the rows need no order.
 */
export async function snapshotOf(running: RunningService, organizationId: string): Promise<object> {
  const client = clients.get(running) ?? connectTo(running)
  clients.set(running, client)
  const { rows } = await (await client).query(digests.join(' union all '), [organizationId])
  return rows
}

async function connectTo({ databaseUrl }: RunningService): Promise<Client> {
  if (databaseUrl === null) throw new Error('A snapshot can be taken of a PostgreSQL server alone.')
  const client = new Client({ connectionString: databaseUrl })
  // It ends when the service does, whose database is dropped under it.
  client.on('error', () => {})
  await client.connect()
  return client
}
