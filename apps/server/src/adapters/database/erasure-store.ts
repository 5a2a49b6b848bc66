import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { BatchLimits, ErasureStore, RemovedBatch, TriedRetention } from '../../ports/erasure-store.js'
import type { DueTask } from '../../ports/task-stores.js'
import { callsTo, conversationsOf, rejectedCallsOf, tasksOfEndUser } from './end-user-rows.js'
import type { Handle } from './handle.js'
import { takeAdvisoryLock, tryAdvisoryLock } from './locks.js'
import { isoMoment } from './moments.js'
import { firstIdAfter } from './retention-store.js'

/**
 * The longest possible lease. An instance that has not renewed its lease for this long is not running
 * anything.
 */
const lostSeconds = 60

const isLive = sql`running.instance_id in (
  select instance_id from instance_lease where renewed_at > now() - make_interval(secs => ${lostSeconds}))`

/** Whether a live instance runs a session, turn or call of the conversation. The end of a call adds its usage. */
const isRunning = sql`(
  exists (select from realtime_session as running where running.conversation_id = conversation.id
    and running.state = 'consumed' and running.ended_at is null and ${isLive})
  or exists (select from turn as running where running.conversation_id = conversation.id
    and running.ended_at is null and ${isLive})
  or exists (select from phone_call as running where running.conversation_id = conversation.id
    and running.ended_at is null and ${isLive}))`

/** Whether tasks must be removed before their conversation, because they are found through it. */
const hasErasedTasks = sql`(
  exists (select from end_user where end_user.erasure_started_at is not null and (
    end_user.id = conversation.end_user_id
    or conversation.end_user_id is null and exists (
      select from phone_call where phone_call.conversation_id = conversation.id and ${callsTo('end_user')})))
  and (exists (select from task where task.source_conversation_id = conversation.id)
    or exists (select from task where task.conversation_id = conversation.id)))`

/**
 * Whether the conversation is in use, or will be used by work that has begun. Each part reads a partial index of
 * unfinished work, so the hashed list is short.
 */
const isInUse = (at: SQL) => sql`conversation.id in (
  select conversation_id from realtime_session where state = 'consumed' and ended_at is null
  union all
  select conversation_id from realtime_session
  where state = 'issued' and expires_at > ${at} and ended_at is null
  union all select conversation_id from turn where ended_at is null
  union all select conversation_id from approval where finished_at is null
  union all select conversation_id from task where run_started_at is not null and conversation_id is not null)`

/** Whether the removal of the conversation in this column was requested. */
export const isBeingRemoved = (conversationId: PgColumn) => sql<boolean>`exists (
  select from conversation as removed
  where removed.id = ${conversationId} and removed.removal_requested_at is not null)`

const uuids = (ids: readonly string[]) => sql`${`{${ids.join()}}`}::uuid[]`

interface RemovedTable {
  readonly table: string
  readonly where: (conversations: SQL) => SQL
  /** The maximum number of rows per batch. */
  readonly limit?: number
}

const ofConversation = (conversations: SQL) => sql`conversation_id = any(${conversations})`

/**
 * The rows of conversations, in the order in which they can be removed. Webhooks still receive
 * `conversation.deleted`, unless the end user is erased.
 */
const tablesOfConversations: readonly RemovedTable[] = [
  ...['webhook_event', 'webhook_delivery'].map((table) => ({
    table,
    where: (conversations: SQL) => sql`order_key = any(${conversations}) and type <> 'conversation.deleted'`,
  })),
  { table: 'idempotency_key', where: (conversations) => sql`subject_id = any(${conversations})` },
  { table: 'approval', where: ofConversation },
  {
    table: 'turn_event',
    where: (conversations) =>
      sql`turn_id in (select turn.id from turn where turn.conversation_id = any(${conversations}))`,
  },
  { table: 'turn', where: ofConversation },
  {
    table: 'realtime_exchange',
    where: (conversations) => sql`session_id in (
      select realtime_session.id from realtime_session where realtime_session.conversation_id = any(${conversations}))`,
  },
  { table: 'realtime_session', where: ofConversation },
  { table: 'phone_call', where: ofConversation },
  { table: 'conversation_summary', where: ofConversation },
  {
    // Removing a file removes thousands of chunks and passages. Files of other conversations stay.
    table: 'temporary_file',
    limit: 1,
    where: (conversations) => sql`id in (
      select given.file_id from conversation_file as given where given.conversation_id = any(${conversations})
        and not exists (
          select from conversation_file as other join conversation on conversation.id = other.conversation_id
          where other.file_id = given.file_id and conversation.removal_requested_at is null))`,
  },
  { table: 'conversation_file', where: ofConversation },
  { table: 'message', where: ofConversation },
]

async function removeRows(
  handle: Handle,
  { table, where }: Omit<RemovedTable, 'limit'>,
  subject: SQL,
  limit: number,
): Promise<number> {
  const name = sql.identifier(table)
  const { rowCount } = await handle.execute(sql`
    delete from ${name} where ctid = any(array(select ctid from ${name} where ${where(subject)} limit ${limit}))`)
  return rowCount ?? 0
}

const endedCallsOf = (endUserId: SQL) => sql`${rejectedCallsOf(endUserId)} and rejected.ended_at is not null`

/** Requests the end of calls. Ends the queued ones, because no instance runs them. */
async function requestEndOfCalls(handle: Handle, calls: SQL, at: SQL): Promise<void> {
  await handle.execute(sql`
    update phone_call set end_requested_at = ${at}, updated_at = ${at}, version = version + 1,
      ended_at = case when state = 'queued' then ${at} end,
      end_reason = case when state = 'queued' then 'stopped' end,
      state = case when state = 'queued' then 'ended' else state end
    where ${calls} and ended_at is null and end_requested_at is null`)
}

/**
 * Removes the rejected calls of the end user's number. Their events come first, because the calls identify them. Open
 * calls must end first.
 */
async function removeRejectedCalls(handle: Handle, endUserId: string, limit: number): Promise<number> {
  const subject = sql`${endUserId}::uuid`
  await requestEndOfCalls(handle, sql`id in (${rejectedCallsOf(subject)})`, sql`now()`)
  const { rows } = await handle.execute(sql`${endedCallsOf(subject)} limit 1`)
  if (rows.length === 0) return 0
  // A transaction that turns events into deliveries holds this lock, so its deliveries are found below.
  await takeAdvisoryLock(handle, 'webhooks')
  const where = (column: SQL) => (id: SQL) => sql`${column} in (${endedCallsOf(id)})`
  let removed = 0
  for (const table of ['webhook_event', 'webhook_delivery'])
    removed += await removeRows(handle, { table, where: where(sql`order_key`) }, subject, limit)
  if (removed > 0) return removed
  return removeRows(handle, { table: 'phone_call', where: where(sql`id`) }, subject, limit)
}

export function makeErasureStore(handle: Handle): ErasureStore {
  const remove = (rows: Omit<RemovedTable, 'limit'>, subject: SQL, limit: number) =>
    removeRows(handle, rows, subject, limit)

  const removeDeliveries = (endUserId: string, limit: number) =>
    remove(
      { table: 'webhook_delivery', where: (id) => sql`end_user_id = ${id} and body is not null` },
      sql`${endUserId}::uuid`,
      limit,
    )

  /** Requests the removal of the conversations that `wanted` selects, and the end of their work. */
  async function request(
    wanted: SQL,
    at: string,
  ): Promise<readonly { id: string; organizationId: string }[]> {
    const moment = sql`${at}::timestamptz`
    const { rows } = await handle.execute<{ id: string; organizationId: string }>(sql`
      with wanted as (${wanted}),
      present as (
        select conversation.end_user_id as id, count(*)::integer as count
        from conversation join wanted on wanted.id = conversation.id
        where conversation.end_user_id is not null and conversation.deleted_at is null group by 1),
      counted as (
        update end_user set conversation_count = conversation_count - present.count
        from present where end_user.id = present.id)
      update conversation set removal_requested_at = ${moment}, deleted_at = coalesce(deleted_at, ${moment}),
        title = null, metadata = '{}', variables = '{}',
        version = version + 1, updated_at = ${moment}
      from wanted where conversation.id = wanted.id
      returning conversation.id, conversation.organization_id as "organizationId"`)
    if (rows.length === 0) return []
    const ids = uuids(rows.map(({ id }) => id))
    // The same order of locks as in the deletion of a conversation.
    await handle.execute(sql`
      update approval set state = case when state = 'waiting' then 'expired' else state end,
        finished_at = ${moment}, updated_at = ${moment}, version = version + 1
      where conversation_id = any(${ids}) and finished_at is null and claimed_by is null`)
    await handle.execute(sql`
      update turn set stop_requested_at = ${moment}, updated_at = ${moment}, version = version + 1
      where conversation_id = any(${ids}) and ended_at is null and stop_requested_at is null`)
    await handle.execute(sql`
      update realtime_session set end_requested_at = ${moment}
      where conversation_id = any(${ids}) and ended_at is null and end_requested_at is null`)
    await requestEndOfCalls(handle, sql`conversation_id = any(${ids})`, moment)
    return rows
  }

  return {
    tryLock: () => tryAdvisoryLock(handle, 'erasure'),

    async isAny() {
      const { rows } = await handle.execute<{ isAny: boolean }>(sql`
        select exists (select from end_user where erasure_started_at is not null)
          or exists (select from conversation where removal_requested_at is not null) as "isAny"`)
      return rows[0]?.isAny === true
    },

    async endUsers(after, limit) {
      const { rows } = await handle.execute<{ id: string; organizationId: string }>(sql`
        select id, organization_id as "organizationId" from end_user
        where erasure_started_at is not null and ${after === null ? sql`true` : sql`id > ${after}::uuid`}
        order by id limit ${limit}`)
      return rows
    },

    async remaining(endUserId) {
      const { rows } = await handle.execute<{ remainingConversations: number; remainingTasks: number }>(sql`
        select (select count(*) from (${conversationsOf(endUserId)}) as found)::integer as "remainingConversations",
          (select count(*) from (${tasksOfEndUser(endUserId)}) as found)::integer as "remainingTasks"`)
      return rows[0] ?? { remainingConversations: 0, remainingTasks: 0 }
    },

    async tasksOf(endUserId, limit) {
      const { rows } = await handle.execute<Record<keyof DueTask, string>>(sql`
        select id, organization_id as "organizationId" from (${tasksOfEndUser(endUserId)}) as found limit ${limit}`)
      return rows
    },

    async removeTracesOf(taskId, limit) {
      const subject = sql`${taskId}::uuid`
      const bySubject = (id: SQL) => sql`order_key = ${id}`
      const events = await remove({ table: 'webhook_event', where: bySubject }, subject, limit)
      const deliveries = await remove({ table: 'webhook_delivery', where: bySubject }, subject, limit)
      const where = (id: SQL) => sql`subject_id = ${id}`
      return events + deliveries + (await remove({ table: 'idempotency_key', where }, subject, limit))
    },

    async requestRemovals(endUserId, at, limit) {
      const wanted = sql`
        select conversation.id from conversation
        where conversation.id in (${conversationsOf(endUserId)}) and conversation.removal_requested_at is null
        order by conversation.id limit ${limit} for no key update`
      return (await request(wanted, at)).length
    },

    async requestOverdueRemovals(at, limit) {
      const moment = sql`${at}::timestamptz`
      const { rows } = await handle.execute<{ id: string }>(sql`
        select conversation.id from conversation
        where conversation.id = any(array(
          select due.id from ${overdueConversations(moment, { days: keptDays, limit })} limit ${limit}))
        for no key update skip locked`)
      // Checked again after the locks, because the conversations may have been used in between.
      const wanted = sql`
        select conversation.id from conversation
        where conversation.id = any(${uuids(rows.map(({ id }) => id))}) and ${isOverdueNow(moment)}`
      const counts = new Map<string, number>()
      for (const { organizationId } of rows.length === 0 ? [] : await request(wanted, at))
        counts.set(organizationId, (counts.get(organizationId) ?? 0) + 1)
      return [...counts].map(([organizationId, count]) => ({ organizationId, count }))
    },

    async previewRetention(tried, at) {
      const moment = sql`${at}::timestamptz`
      const { rows } = await handle.execute<{
        conversations: number
        messages: number
        oldest: string | null
      }>(sql`
        select count(*)::integer as conversations, coalesce(sum(due.message_count), 0)::integer as messages,
          min(due.activity_at)::text as oldest
        from ${overdueConversations(moment, { days: triedDays(tried), limit: null })}
        where agent.organization_id = ${tried.organizationId}::uuid
          and ${tried.agentId === null ? sql`true` : sql`agent.id = ${tried.agentId}::uuid`}`)
      const [row] = rows
      const oldest = row?.oldest ?? null
      return {
        conversations: row?.conversations ?? 0,
        messages: row?.messages ?? 0,
        oldestActivityAt: oldest === null ? null : isoMoment(oldest),
      }
    },

    async removeSome({ conversations, rows: maxRows }: BatchLimits): Promise<RemovedBatch> {
      const { rows } = await handle.execute<{ id: string }>(sql`
        select conversation.id from conversation
        where conversation.removal_requested_at is not null and not ${isRunning} and not ${hasErasedTasks}
        order by conversation.removal_requested_at, conversation.id limit ${conversations} for update skip locked`)
      if (rows.length === 0) {
        const left = await handle.execute(
          sql`select from conversation where removal_requested_at is not null limit 1`,
        )
        return left.rowCount === 0 ? 'done' : 'waiting'
      }
      const ids = uuids(rows.map(({ id }) => id))
      let left = maxRows
      for (const { table, where, limit = left } of tablesOfConversations) {
        const most = Math.min(limit, left)
        const count = await remove({ table, where }, ids, most)
        left -= count
        // Other rows of this table may be left.
        if (count === most) return 'removed'
      }
      await handle.execute(sql`delete from conversation where id = any(${ids})`)
      return 'removed'
    },

    async removeTracesOfEndUser(endUserId, limit) {
      const { rowCount } = await handle.execute(sql`
        update usage_record set end_user_id = null where ctid = any(array(
          select ctid from usage_record where end_user_id = ${endUserId}::uuid limit ${limit}))`)
      const rejected = await removeRejectedCalls(handle, endUserId, limit)
      return (rowCount ?? 0) + rejected + (await removeDeliveries(endUserId, limit))
    },

    async removeEndUser({ id }) {
      // A transaction that turns events into deliveries holds this lock, so its deliveries are found below. Few events
      // are left, so they need no index.
      await takeAdvisoryLock(handle, 'webhooks')
      await handle.execute(sql`delete from webhook_event where data ->> 'end_user_id' = ${id}`)
      if ((await removeDeliveries(id, maxLateDeliveries)) > 0) return false
      const { rowCount } = await handle.execute(sql`
        delete from end_user where id = ${id}::uuid
          and not exists (${conversationsOf(id)})
          and not exists (${tasksOfEndUser(id)})
          and not exists (${rejectedCallsOf(sql`${id}::uuid`)})`)
      return rowCount === 1
    },
  }
}

/** The maximum number of deliveries that are removed together with an end user. */
const maxLateDeliveries = 500

const keptDays = sql`coalesce(agent.conversation_retention_days, organization.conversation_retention_days)`

/** The number of days with which a caller previews the retention. */
function triedDays({ agentId, days }: TriedRetention): SQL {
  if (days === null) return keptDays
  return agentId === null
    ? sql`coalesce(agent.conversation_retention_days, ${days}::integer)`
    : sql`${days}::integer`
}

const activityAt = sql`coalesce(conversation.last_message_at, conversation.created_at)`

/**
 * Selects overdue conversations as `due`, with their `agent`. Ids contain the creation time, so the index on the
 * ids of an agent's conversations finds those that are old enough.
 */
function overdueConversations(
  at: SQL,
  { days, limit }: { readonly days: SQL; readonly limit: number | null },
): SQL {
  const cutoff = sql`${at} - make_interval(days => kept.days)`
  return sql`agent
    join organization on organization.id = agent.organization_id
    cross join lateral (select ${days} as days) as kept
    cross join lateral (
      select conversation.id, conversation.message_count, ${activityAt} as activity_at from conversation
      where conversation.agent_id = agent.id and conversation.deleted_at is null
        and conversation.id < ${firstIdAfter(cutoff)} and ${activityAt} < ${cutoff} and not ${isInUse(at)}
      order by conversation.id ${limit === null ? sql`` : sql`limit ${limit}`}) as due`
}

const isOverdueNow = (at: SQL) => sql`conversation.deleted_at is null and not ${isInUse(at)}
  and ${activityAt} < ${at} - make_interval(days => (
    select ${keptDays} from agent join organization on organization.id = agent.organization_id
    where agent.id = conversation.agent_id))`
