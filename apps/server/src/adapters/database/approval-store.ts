import { and, asc, count, desc, eq, gt, inArray, isNull, lte, ne, or, sql } from 'drizzle-orm'
import type { ApprovalFilter, ApprovalStore, Decider } from '../../ports/task-stores.js'
import type { Handle } from './handle.js'
import { rowLock } from './locks.js'
import { approval } from './schema.js'
import { builder, selectStatement } from './statement.js'

const isWaiting = and(eq(approval.state, 'waiting'), isNull(approval.finishedAt))

const isUnclaimed = and(isNull(approval.finishedAt), isNull(approval.claimedBy))

/**
 * The origin is neither a running session nor a running turn. The "or" keeps the subquery in the row's own
 * condition. If the statement waits for a lock, PostgreSQL therefore evaluates the condition again on the
 * updated row.
 */
const hasNoRunningOrigin = sql`(${approval.originId} is null or not exists (
  select 1 from realtime_session
  where realtime_session.id = ${approval.originId}
    and realtime_session.state = 'consumed' and realtime_session.ended_at is null)
  and not exists (
  select 1 from turn where turn.id = ${approval.originId} and turn.ended_at is null))`

/** A call that already has an answer only needs to be finished. */
const isUnanswered = sql`not exists (
  select 1 from message where message.id = ${approval.messageId} and message.status in (1, 2))`

/** The calls that the decider may decide on. */
function mayBeDecided(by: Decider) {
  if (by.type === 'client') return ne(approval.approvedBy, 'staff')
  const isAsker = sql`exists (
    select 1 from turn
    where turn.id = ${approval.originId} and turn.api_key_id is not distinct from ${by.apiKeyId}::uuid)`
  return or(ne(approval.approvedBy, 'client'), isAsker)
}

export function makeApprovalStore(handle: Handle): ApprovalStore {
  const change = (fields: object, at: string) =>
    handle.update(approval).set({ ...fields, updatedAt: at, version: sql`${approval.version} + 1` })

  return {
    async insert(record) {
      await handle.insert(approval).values(record)
    },

    async find(organizationId, id) {
      const [row] = await handle
        .select()
        .from(approval)
        .where(and(eq(approval.organizationId, organizationId), eq(approval.id, id)))
      return row ?? null
    },

    async list(organizationId, filter, page) {
      const where = and(eq(approval.organizationId, organizationId), ...matching(filter))
      const items = await handle
        .select()
        .from(approval)
        .where(where)
        .orderBy(page.order === 'oldest' ? asc(approval.id) : desc(approval.id))
        .offset(page.offset)
        .limit(page.limit)
      const [total] = await handle.select({ count: count() }).from(approval).where(where)
      return { items, totalCount: total?.count ?? 0 }
    },

    async findMany(ids) {
      if (ids.length === 0) return []
      return handle
        .select()
        .from(approval)
        .where(inArray(approval.id, [...ids]))
    },

    async decide(organizationId, conversationId, callId, decision, by, at) {
      const isTarget = and(
        eq(approval.organizationId, organizationId),
        eq(approval.conversationId, conversationId),
        eq(approval.callId, callId),
        isWaiting,
        gt(approval.deadline, at),
        mayBeDecided(by),
      )
      // A provider may reuse an id within a conversation. A user's decision then applies to only one of the
      // calls.
      const oldest = handle
        .select({ id: approval.id })
        .from(approval)
        .where(isTarget)
        .orderBy(asc(approval.id))
        .limit(1)
      const [row] = await change({ ...decision, decidedAt: at }, at)
        .where(and(eq(approval.id, sql`(${oldest})`), isTarget))
        .returning()
      return row ?? null
    },

    isAnyOpen: async () => (await findAnyOpen(handle, {})).length > 0,

    async expireDue(at) {
      // Skips rows that another transaction is changing. The next run processes them. This statement locks
      // several rows, and two transactions that wait for each other's rows would deadlock.
      const due = handle
        .select({ id: approval.id })
        .from(approval)
        .where(and(isWaiting, lte(approval.deadline, at)))
        .for(rowLock.toChange, { skipLocked: true })
      const expired = await change({ state: 'expired' }, at).where(inArray(approval.id, due))
      return expired.rowCount ?? 0
    },

    async withdraw(id, originId, at) {
      const isOwn = eq(approval.originId, originId)
      await change({ state: 'expired' }, at).where(and(eq(approval.id, id), isOwn, isWaiting))
    },

    withdrawUnclaimed: (conversationId, at) => withdrawUnclaimed(handle, conversationId, at),

    async forgetConversation(conversationId, at) {
      const unclaimed = sql`${approval.finishedAt} is null and ${approval.claimedBy} is null`
      await change(
        {
          arguments: '{}',
          reason: null,
          state: sql`case when ${approval.state} = 'waiting' then 'expired' else ${approval.state} end`,
          finishedAt: sql`case when ${unclaimed} then ${at}::timestamptz else ${approval.finishedAt} end`,
        },
        at,
      ).where(eq(approval.conversationId, conversationId))
    },

    async adopt({ id: originId, agentId, conversationId }, at) {
      // All transactions lock in the same order, so that two concurrent ones do not deadlock.
      const taken = handle
        .select({ id: approval.id })
        .from(approval)
        .where(
          and(
            eq(approval.conversationId, conversationId),
            isNull(approval.finishedAt),
            isUnanswered,
            or(eq(approval.originId, originId), eq(approval.agentId, agentId), hasNoRunningOrigin),
          ),
        )
        .orderBy(asc(approval.id))
        .for(rowLock.toChange)
      const rows = await change({ originId }, at).where(inArray(approval.id, taken)).returning()
      return rows.sort((one, other) => (one.id < other.id ? -1 : 1))
    },

    async claim(id, instanceId, originId, at) {
      const isOwn = originId === null ? undefined : eq(approval.originId, originId)
      const claimed = await change({ claimedBy: instanceId }, at).where(
        and(eq(approval.id, id), eq(approval.state, 'approved'), isUnclaimed, or(isOwn, hasNoRunningOrigin)),
      )
      return claimed.rowCount === 1
    },

    async finish(id, at) {
      await change({ finishedAt: at }, at).where(and(eq(approval.id, id), isNull(approval.finishedAt)))
    },

    async unattended(limit) {
      return handle
        .select()
        .from(approval)
        .where(and(ne(approval.state, 'waiting'), isUnclaimed, hasNoRunningOrigin))
        .orderBy(asc(approval.id))
        .limit(limit)
    },
  }
}

function matching(filter: ApprovalFilter) {
  return [
    filter.state === undefined ? undefined : eq(approval.state, filter.state),
    filter.agentId === undefined ? undefined : eq(approval.agentId, filter.agentId),
    filter.conversationId === undefined ? undefined : eq(approval.conversationId, filter.conversationId),
    filter.isWaiting === undefined ? undefined : (filter.isWaiting ? eq : ne)(approval.state, 'waiting'),
    filter.rehearsal === undefined ? undefined : eq(approval.rehearsal, filter.rehearsal),
    filter.callId === undefined ? undefined : eq(approval.callId, filter.callId),
  ]
}

const findAnyOpen = selectStatement('approval_any_open', { id: approval.id }, (fields) =>
  builder.select(fields).from(approval).where(isNull(approval.finishedAt)).limit(1),
)

async function withdrawUnclaimed(handle: Handle, conversationId: string, at: string): Promise<void> {
  // Uses the same lock order as `adopt`, so that transactions do not deadlock.
  const unclaimed = handle
    .select({ id: approval.id })
    .from(approval)
    .where(and(eq(approval.conversationId, conversationId), isUnclaimed))
    .orderBy(asc(approval.id))
    .for(rowLock.toChange)
  await handle
    .update(approval)
    .set({ state: 'expired', updatedAt: at, version: sql`${approval.version} + 1` })
    .where(and(inArray(approval.id, unclaimed), inArray(approval.state, ['waiting', 'approved'])))
}
