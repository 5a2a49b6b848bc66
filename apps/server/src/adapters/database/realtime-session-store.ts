import {
  and,
  count,
  desc,
  eq,
  getTableColumns,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  not,
  sql,
} from 'drizzle-orm'
import type {
  ConsumedSession,
  ConsumedToken,
  RealtimeSessionFilter,
  RealtimeSessionStore,
} from '../../ports/realtime-stores.js'
import { hasContext } from './end-user-store.js'
import { isBeingRemoved } from './erasure-store.js'
import type { Handle } from './handle.js'
import { databaseMicroseconds } from './moments.js'
import { countRunningSessions, isInstanceAlive } from './organization-usage-store.js'
import { agent, connection, conversation, realtimeSession } from './schema.js'
import {
  builder,
  insertStatement,
  placeholder,
  selectStatement,
  sqlStatement,
  writeStatement,
} from './statement.js'

/**
 * Avoids five statements without results, which would cost more than the rest of the opening. A summary
 * exists only if there are messages.
 */
const isConversationBlank = sql<boolean>`not exists (
  select from message where message.conversation_id = realtime_session.conversation_id)
  and not exists (
  select from conversation_file where conversation_file.conversation_id = realtime_session.conversation_id)
  and not exists (
  select from approval where approval.conversation_id = realtime_session.conversation_id)`

const hasOrganizationBudgets = sql<boolean>`exists (
  select from budget where budget.organization_id = realtime_session.organization_id)`

const hasEndUserLimits = sql`exists (select from agent where agent.id = realtime_session.agent_id
  and coalesce(agent.end_user_limits ->> 'concurrentSessions', agent.end_user_limits ->> 'tokensPerDay',
    agent.end_user_limits ->> 'costPerDay') is not null)`

const parameter = (name: string) => sql`${placeholder(name)}`

function update() {
  const { organizationId, tokenHash, state, endRequestedAt, expiresAt, version } = realtimeSession
  const running = countRunningSessions(sql`${organizationId}`)
  return builder
    .update(realtimeSession)
    .set({
      state: 'consumed',
      startedAt: parameter('now'),
      updatedAt: parameter('now'),
      instanceId: parameter('instanceId'),
      limitedId: sql`${parameter('limitedId')}::uuid`,
      version: sql`${version} + 1`,
    })
    .where(
      and(
        eq(tokenHash, parameter('tokenHash')),
        eq(state, 'issued'),
        isNull(endRequestedAt),
        gt(expiresAt, parameter('now')),
        lt(running, sql`${parameter('maxRunning')}::integer`),
        sql`(${parameter('isChecked')}::boolean or not ${hasEndUserLimits})`,
      ),
    )
    .returning({
      ...getTableColumns(realtimeSession),
      startMicroseconds: databaseMicroseconds.as('start_microseconds'),
      isConversationBlank: isConversationBlank.as('is_conversation_blank'),
      hasOrganizationBudgets: hasOrganizationBudgets.as('has_organization_budgets'),
    })
}

/**
 * Consumes the token and reads the agent and the connection of the session in one statement instead of two.
 */
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
      endUserId: consumed.endUserId,
      limitedId: consumed.limitedId,
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

async function consumeSession(
  handle: Handle,
  { checked, ...wanted }: ConsumedToken,
): Promise<ConsumedSession | null> {
  const limitedId = checked?.limitedId ?? null
  const [row] = await consume(handle, { ...wanted, isChecked: checked !== undefined, limitedId })
  if (!row) return null
  const { agent: used, connection: found, startMicroseconds, ...consumed } = row
  return {
    ...consumed,
    startMicroseconds: Number(startMicroseconds),
    found: used && { connection: found, model: used.model },
  }
}

const isGivenUp = eq(realtimeSession.endReason, 'instance_lost')

/**
 * The state is a literal, because PostgreSQL does not use the partial index of running sessions for a
 * parameter.
 */
const isRunning = and(sql`${realtimeSession.state} = 'consumed'`, isNull(realtimeSession.endedAt))

const oneMore = sql`${realtimeSession.version} + 1`

/** Executed at the start and at the end of every session. */
const insertSession = insertStatement('realtime_session_insert', realtimeSession)

const endSession = writeStatement('realtime_session_end', () =>
  builder
    .update(realtimeSession)
    .set({
      endedAt: parameter('at'),
      endReason: parameter('reason'),
      updatedAt: parameter('at'),
      version: oneMore,
    })
    .where(and(eq(realtimeSession.id, parameter('id')), isNull(realtimeSession.endedAt))),
)

/** Executed many times a second while data changes. */
const findEndRequested = selectStatement(
  'realtime_session_end_requested',
  { id: realtimeSession.id, isErased: isBeingRemoved(realtimeSession.conversationId) },
  (fields) =>
    builder
      .select(fields)
      .from(realtimeSession)
      .where(
        and(
          eq(realtimeSession.instanceId, placeholder('instanceId')),
          isRunning,
          isNotNull(realtimeSession.endRequestedAt),
        ),
      ),
)

const countLimited = sqlStatement<{ sessions: string }>(
  'realtime_session_count_limited',
  () => sql`select count(*)::text as sessions from realtime_session
    where limited_id = ${placeholder('limitedId')}::uuid and ended_at is null
      and ${isInstanceAlive(sql`realtime_session.instance_id`)}`,
)

export function makeRealtimeSessionStore(handle: Handle): RealtimeSessionStore {
  return {
    async insert(record) {
      await handle.send(insertSession(handle, record))
    },

    async find(organizationId, id) {
      const [row] = await handle
        .select()
        .from(realtimeSession)
        .where(and(eq(realtimeSession.organizationId, organizationId), eq(realtimeSession.id, id)))
      return row ?? null
    },

    async list(organizationId, filter, page) {
      const where = and(
        eq(realtimeSession.organizationId, organizationId),
        ...matching(filter, organizationId),
      )
      const items = await handle
        .select()
        .from(realtimeSession)
        .where(where)
        .orderBy(desc(realtimeSession.createdAt), desc(realtimeSession.id))
        .offset(page.offset)
        .limit(page.limit)
      const [total] = await handle.select({ count: count() }).from(realtimeSession).where(where)
      return { items, totalCount: total?.count ?? 0 }
    },

    async findByTokenHash(tokenHash) {
      const [row] = await handle
        .select()
        .from(realtimeSession)
        .where(eq(realtimeSession.tokenHash, tokenHash))
      return row ?? null
    },

    consume: (wanted) => consumeSession(handle, wanted),

    async countLimited(limitedId) {
      const [row] = await countLimited(handle, { limitedId })
      return Number(row?.sessions ?? 0)
    },

    async saveUsage(id, usage, cost) {
      await handle.update(realtimeSession).set({ usage, cost }).where(eq(realtimeSession.id, id))
    },

    async saveSetup(id, setup) {
      await handle.update(realtimeSession).set({ setup }).where(eq(realtimeSession.id, id))
    },

    async end(id, reason, at) {
      await endSession(handle, { id, reason, at })
    },

    async givenUp(ids) {
      const rows = await handle
        .select({ id: realtimeSession.id })
        .from(realtimeSession)
        .where(and(inArray(realtimeSession.id, [...ids]), isGivenUp))
      return rows.map((row) => row.id)
    },

    async requestEnd(organizationId, which, at) {
      const result = await handle
        .update(realtimeSession)
        .set({ endRequestedAt: at })
        .where(
          and(
            eq(realtimeSession.organizationId, organizationId),
            isNull(realtimeSession.endedAt),
            isNull(realtimeSession.endRequestedAt),
            which.id === undefined ? undefined : eq(realtimeSession.id, which.id),
            which.agentId === undefined ? undefined : eq(realtimeSession.agentId, which.agentId),
            which.conversationId === undefined
              ? undefined
              : eq(realtimeSession.conversationId, which.conversationId),
          ),
        )
      return result.rowCount ?? 0
    },

    endRequested(instanceId) {
      return findEndRequested(handle, { instanceId })
    },
  }
}

function matching(filter: RealtimeSessionFilter, organizationId: string) {
  const context = hasContext(organizationId, filter)
  const conversations = builder
    .select({ id: conversation.id })
    .from(conversation)
    .where(and(eq(conversation.organizationId, organizationId), context))
  return [
    context === undefined ? undefined : inArray(realtimeSession.conversationId, conversations),
    filter.agentId === undefined ? undefined : eq(realtimeSession.agentId, filter.agentId),
    filter.conversationId === undefined
      ? undefined
      : eq(realtimeSession.conversationId, filter.conversationId),
    filter.isRunning === undefined || isRunning === undefined
      ? undefined
      : filter.isRunning
        ? isRunning
        : not(isRunning),
    filter.rehearsal === undefined ? undefined : eq(realtimeSession.rehearsal, filter.rehearsal),
    filter.endReason === undefined ? undefined : eq(realtimeSession.endReason, filter.endReason),
    filter.from === undefined ? undefined : gte(realtimeSession.createdAt, filter.from),
    filter.to === undefined ? undefined : lt(realtimeSession.createdAt, filter.to),
  ]
}
