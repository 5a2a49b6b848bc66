import type { Client } from 'pg'
import type { Tenant } from '../load/tenant.js'

/** Queries for the rows whose events the webhooks of the tenants subscribe to. */
const rowsOf: Readonly<Record<string, string>> = {
  'task.created': 'select id from task where organization_id = any($1)',
  'task.run.ended': `select id from task where organization_id = any($1) and status in ('done', 'failed')`,
  'turn.ended':
    'select id from turn where organization_id = any($1) and ended_at is not null and task_id is null',
  'realtime.session.started': `select id from realtime_session where organization_id = any($1) and state = 'consumed'`,
  'realtime.session.ended':
    'select id from realtime_session where organization_id = any($1) and ended_at is not null',
  'approval.waiting': 'select id from approval where organization_id = any($1)',
}

/** Returns `type id` for each event that receivers must have got. */
export async function readOwed(client: Client, tenants: readonly Tenant[]): Promise<readonly string[]> {
  const organizations = tenants.map(({ credentials }) => credentials.organizationId)
  const owed: string[] = []
  for (const [type, text] of Object.entries(rowsOf)) {
    const { rows } = await client.query<{ id: string }>(text, [organizations])
    owed.push(...rows.map(({ id }) => `${type} ${id}`))
  }
  const messages = await client.query<{ id: string }>(
    `select message.id from message join conversation on conversation.id = message.conversation_id
     where conversation.agent_id = any($1)`,
    [tenants.map(({ textAgentId }) => textAgentId)],
  )
  return [...owed, ...messages.rows.map(({ id }) => `conversation.message.created ${id}`)]
}
