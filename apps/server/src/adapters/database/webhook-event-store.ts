import { getTableColumns, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { WebhookEventStore } from '../../ports/webhook-stores.js'
import type { Handle } from './handle.js'
import { tryAdvisoryLock } from './locks.js'
import { phoneCall } from './phone-schema.js'
import { agent, apiKey, approval, conversation, message, realtimeSession, task } from './schema.js'
import { builder, selectStatement } from './statement.js'
import { turn } from './turn-schema.js'
import { webhookEvent } from './webhook-schema.js'

/** The tables with a trigger that reports changes to their rows. */
const sources: Readonly<Record<string, PgTable>> = {
  agent,
  api_key: apiKey,
  approval,
  conversation,
  message,
  phone_call: phoneCall,
  realtime_session: realtimeSession,
  task,
  turn,
}

type Row = typeof webhookEvent.$inferSelect

const findAny = selectStatement('webhook_event_any', { position: webhookEvent.position }, (fields) =>
  builder.select(fields).from(webhookEvent).limit(1),
)

export function makeWebhookEventStore(handle: Handle): WebhookEventStore {
  return {
    async record({ organizationId, type, agentId, conversationId, orderKey, data }) {
      await handle.execute(sql`
        insert into webhook_event (organization_id, type, agent_id, conversation_id, order_key, data)
        select ${organizationId}::uuid, ${type}, ${agentId}::uuid, ${conversationId}::uuid, ${orderKey}::uuid,
          ${JSON.stringify(data)}::jsonb
        where wants_webhook_event(${organizationId}::uuid, ${type})`)
    },

    async isAny() {
      const found = await findAny(handle, {})
      return found.length > 0
    },

    tryLock: () => tryAdvisoryLock(handle, 'webhooks'),

    async take(limit) {
      const oldest = handle
        .select({ position: webhookEvent.position })
        .from(webhookEvent)
        .orderBy(webhookEvent.position)
        .limit(limit)
      const rows = await handle
        .delete(webhookEvent)
        .where(sql`${webhookEvent.position} in ${oldest}`)
        .returning()
      return rows.sort((one, other) => one.position - other.position).map(toRecord)
    },
  }
}

function toRecord({ source, data, ...event }: Row) {
  const table = source === null ? undefined : sources[source]
  return { ...event, data: table === undefined ? data : recordOf(table, data) }
}

/**
 * Converts a row in JSON to the record that a select returns, because field names and the format of
 * timestamps differ.
 */
function recordOf(table: PgTable, row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(getTableColumns(table)).map(([field, column]) => {
      // The previous version wrote the row without this column, so the column's default applies.
      const value = row[column.name] ?? column.default ?? null
      const isMoment = column.getSQLType().startsWith('timestamp') && typeof value === 'string'
      return [field, isMoment ? new Date(value).toISOString() : value]
    }),
  )
}
