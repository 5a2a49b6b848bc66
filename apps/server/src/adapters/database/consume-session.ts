import { and, eq, getTableColumns, gt, isNull, lt, sql } from 'drizzle-orm'
import type { ConsumedSession, ConsumedToken } from '../../ports/realtime-session-store.js'
import { databaseMicroseconds } from './database-time.js'
import type { Handle } from './handle.js'
import { countRunningSessions } from './organization-usage-store.js'
import { agent, connection, realtimeSession } from './schema.js'
import { builder, placeholder, selectStatement } from './statement.js'

/** Five statements that find nothing cost more than all else of an opening. A summary is one of messages. */
const isConversationBlank = sql<boolean>`not exists (
  select from message where message.conversation_id = realtime_session.conversation_id)
  and not exists (
  select from conversation_file where conversation_file.conversation_id = realtime_session.conversation_id)
  and not exists (
  select from approval where approval.conversation_id = realtime_session.conversation_id)`

const hasOrganizationBudgets = sql<boolean>`exists (
  select from budget where budget.organization_id = realtime_session.organization_id)`

const place = (name: string) => sql`${placeholder(name)}`

function update() {
  const { organizationId, tokenHash, state, endRequestedAt, expiresAt, version } = realtimeSession
  const running = countRunningSessions(sql`${organizationId}`)
  return builder
    .update(realtimeSession)
    .set({
      state: 'consumed',
      startedAt: place('now'),
      updatedAt: place('now'),
      instanceId: place('instanceId'),
      version: sql`${version} + 1`,
    })
    .where(
      and(
        eq(tokenHash, place('tokenHash')),
        eq(state, 'issued'),
        isNull(endRequestedAt),
        gt(expiresAt, place('now')),
        lt(running, sql`${place('maxRunning')}::integer`),
      ),
    )
    .returning({
      ...getTableColumns(realtimeSession),
      startMicroseconds: databaseMicroseconds.as('start_microseconds'),
      isConversationBlank: isConversationBlank.as('is_conversation_blank'),
      hasOrganizationBudgets: hasOrganizationBudgets.as('has_organization_budgets'),
    })
}

/** Consumes the token and reads the agent and connection of the session, which would take another statement otherwise. */
const consumed = builder.$with('consumed').as(update())

const consume = selectStatement(
  'realtime_session_consume',
  {
    session: {
      id: consumed.id,
      organizationId: consumed.organizationId,
      version: consumed.version,
      createdAt: consumed.createdAt,
      updatedAt: consumed.updatedAt,
      agentId: consumed.agentId,
      conversationId: consumed.conversationId,
      state: consumed.state,
      tokenHash: consumed.tokenHash,
      expiresAt: consumed.expiresAt,
      startedAt: consumed.startedAt,
      endedAt: consumed.endedAt,
      endReason: consumed.endReason,
      endRequestedAt: consumed.endRequestedAt,
      instanceId: consumed.instanceId,
      apiKeyId: consumed.apiKeyId,
      usage: consumed.usage,
      cost: consumed.cost,
      latency: consumed.latency,
      setup: consumed.setup,
      rehearsal: consumed.rehearsal,
    },
    startMicroseconds: consumed.startMicroseconds,
    isConversationBlank: consumed.isConversationBlank,
    hasOrganizationBudgets: consumed.hasOrganizationBudgets,
    agent: { id: agent.id, model: agent.model },
    connection,
  },
  (fields) =>
    builder
      .with(consumed)
      .select(fields)
      .from(consumed)
      .leftJoin(
        agent,
        and(
          eq(agent.id, consumed.agentId),
          eq(agent.organizationId, consumed.organizationId),
          isNull(agent.deletedAt),
        ),
      )
      .leftJoin(
        connection,
        and(
          eq(connection.id, sql`(${consumed.setup} ->> 'connectionId')::uuid`),
          eq(connection.organizationId, consumed.organizationId),
        ),
      ),
)

/** Consumes a token that is still good. */
export async function consumeSession(handle: Handle, wanted: ConsumedToken): Promise<ConsumedSession | null> {
  const [row] = await consume(handle, wanted)
  if (!row) return null
  const { agent: used, connection: found, startMicroseconds, ...consumed } = row
  return {
    ...consumed,
    startMicroseconds: Number(startMicroseconds),
    found: used && { connection: found, model: used.model },
  }
}
