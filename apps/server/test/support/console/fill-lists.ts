import type { Client } from 'pg'
import { withPostgresClient } from '../services/postgres-connection.js'
import type { RunningService } from '../start-service.js'

/** Ids that increase with time, like those of the service. The last one is from now. */
const idOf = (base: number) =>
  `(lpad(to_hex(${base}::bigint + n), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid`

/**
 * A trigger counts the rows of an organization in one row. Within a transaction, each count costs more than
 * the one before.
 */
const chunkSize = 500

/** Inserts up to `count` tasks, conversations and audit records directly into the database. */
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

/** Replaces all tasks with `count` new ones in one statement, without triggers. */
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
  /** SQL for the id and the time of a row, from its number. */
  readonly id: string
  readonly at: string
}

/**
 * The records count as sealed but would fail verification. Sealing this many takes minutes, and the lists do
 * not check it.
 */
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
