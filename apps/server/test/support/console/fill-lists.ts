import type { Client } from 'pg'
import { withPostgresClient } from '../services/postgres-connection.js'
import type { RunningService } from '../start-service.js'

/** Ids that grow with time, as the service makes them, the last one of this moment. */
const idOf = (base: number) =>
  `(lpad(to_hex(${base}::bigint + n), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid`

/** What an organization has is counted row by row, in one row: within a transaction each count costs more than the one before. */
const chunkSize = 500

/** Puts so many tasks, conversations and audit records into an organization, straight into its database. */
export async function fillLists(
  { databaseUrl, organizationId, client }: RunningService,
  count: number,
): Promise<void> {
  const agent = await client.call<{ id: string }>('POST', '/api/v1/Agent', { body: { name: 'Night porter' } })
  const base = Date.now() - count
  const id = idOf(base)
  const at = `to_timestamp((${base}::bigint + n) / 1000.0)`
  await withPostgresClient(databaseUrl ?? '', async (database) => {
    for (let first = 1; first <= count; first += chunkSize) {
      const numbers = `from generate_series(${first}, ${Math.min(count, first + chunkSize - 1)}) as n`
      await database.query(
        `insert into task (id, organization_id, version, created_at, updated_at, title, status, priority, agent_id, external_id)
         select ${id}, $1, 1, ${at}, ${at}, 'Task ' || n, 'open', 'normal', $2::uuid, 'PMS-' || n ${numbers}`,
        [organizationId, agent.body.id],
      )
      await database.query(
        `insert into conversation (id, organization_id, version, created_at, updated_at, agent_id, title, message_count, last_message_at)
         select ${id}, $1, 1, ${at}, ${at}, $2::uuid, 'Conversation ' || n, 4, ${at} ${numbers}`,
        [organizationId, agent.body.id],
      )
    }
    await addRecords(database, { organizationId, count, actorId: agent.body.id, id, at })
    await database.query('analyze')
  })
}

/** So many tasks in the place of those there are, by one statement, without what the service would note of each. */
export async function fillTasks(
  { databaseUrl, organizationId }: RunningService,
  count: number,
): Promise<void> {
  const base = Date.now() - count
  const at = `to_timestamp((${base}::bigint + n) / 1000.0)`
  await withPostgresClient(databaseUrl ?? '', async (database) => {
    await database.query('set session_replication_role = replica')
    await database.query('delete from task where organization_id = $1', [organizationId])
    await database.query(
      `insert into task (id, organization_id, version, created_at, updated_at, title, status, priority)
       select ${idOf(base)}, $1, 1, ${at}, ${at}, 'Task ' || n, 'open', 'normal' from generate_series(1, ${count}) as n`,
      [organizationId],
    )
    await database.query('vacuum analyze task')
  })
}

interface Records {
  readonly organizationId: string
  readonly count: number
  readonly actorId: string
  /** What makes the id and the moment of a row out of its number. */
  readonly id: string
  readonly at: string
}

/** Sealed already, though no verification would believe them: sealing so many takes minutes, and lists do not look at it. */
async function addRecords(
  database: Client,
  { organizationId, count, actorId, id, at }: Records,
): Promise<void> {
  await database.query('begin')
  const { rows } = await database.query<{ head: string }>(
    `insert into audit_chain (organization_id, sequence, hash) values ($1, $2::bigint, '')
     on conflict (organization_id) do update set sequence = audit_chain.sequence + $2::bigint
     returning sequence - $2::bigint as head`,
    [organizationId, count],
  )
  await database.query(
    `insert into audit_record (id, organization_id, at, actor_type, actor_id, actor_name, action, resource_type, resource_id, outcome, details, canonical, sequence, hash, key_id, sealed_at)
     select ${id}, $1::uuid, ${at}, 'api_key', $2::text, 'web shop', 'task.update', 'Task', ${id}::text, 'success', '{}', '', $3::bigint + n, '', '', now()
     from generate_series(1, ${count}) as n`,
    [organizationId, actorId, rows[0]?.head],
  )
  await database.query('commit')
}
