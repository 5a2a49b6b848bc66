import {
  and,
  count,
  desc,
  eq,
  getTableColumns,
  gte,
  inArray,
  isNotNull,
  lt,
  ne,
  type SQL,
  sql,
} from 'drizzle-orm'
import type {
  Claimant,
  ClaimedDelivery,
  DeliveryRoom,
  WebhookDeliveryRecord,
  WebhookDeliveryStore,
} from '../../ports/webhook-stores.js'
import type { Handle } from './handle.js'
import { webhook, webhookDelivery, webhookEvent } from './webhook-schema.js'

/** Longer than any attempt takes. An older claim was lost, although its instance is still running. */
const claimSeconds = 60

/**
 * Locks a webhook's row while its deliveries are chosen, so that two instances together never exceed its
 * limit. Skips locked webhooks until the next run. A second statement chooses the deliveries. A statement
 * that had started before another instance committed would not see that instance's claims, and would claim
 * the same deliveries. A delivery waits for the earlier ones with the same subject, unless these have failed
 * so often that they could block it for a day.
 */
async function claimDeliveries(
  handle: Handle,
  { instanceId, leaseSeconds }: Claimant,
  now: string,
  room: DeliveryRoom,
): Promise<readonly ClaimedDelivery[]> {
  const at = sql`${now}::timestamptz`
  const isAttemptRunning = inProgress(at, leaseSeconds)
  const ready = await handle.execute<{ id: string }>(sql`
    select w.id from webhook as w
    where w.is_enabled and exists (
      select 1 from webhook_delivery as d
      where d.webhook_id = w.id and d.state = 'pending' and d.due_at <= ${at})
    for no key update of w skip locked`)
  if (ready.rows.length === 0) return []
  const { rows } = await handle.execute<{ id: string }>(sql`
    with ready as (
      select w.id, w.organization_id, w.failing_since is not null as is_failing
      from webhook as w
      where w.is_enabled and ${inArray(
        sql`w.id`,
        ready.rows.map(({ id }) => id),
      )}
    ), allowed as (
      select ready.*, case when is_failing then 1 else ${room.perWebhook} end - (
        select count(*) from webhook_delivery as d
        where d.webhook_id = ready.id and d.claimed_by is not null and d.state = 'pending'
          and ${isAttemptRunning})::integer as free
      from ready
    ), found as (
      select next.id, allowed.is_failing,
        row_number() over (partition by allowed.organization_id order by next.position) as turn
      from allowed cross join lateral (
        select d.id, d.position from webhook_delivery as d
        where d.webhook_id = allowed.id and d.state = 'pending' and d.due_at <= ${at} and d.body is not null
          and not ${isAttemptRunning}
          and not exists (
            select 1 from webhook_delivery as earlier
            where earlier.webhook_id = d.webhook_id and earlier.order_key = d.order_key
              and earlier.state = 'pending' and earlier.position < d.position
              and earlier.attempt_count < ${room.attemptsInOrder})
        order by d.position
        limit greatest(allowed.free, 0)) as next
    ), ranked as (
      select id, turn, is_failing, row_number() over (partition by is_failing order by turn) as place from found
    ), chosen as (
      select id from ranked
      where not is_failing or place <= ${room.freeForFailing}
      order by is_failing, turn
      limit ${room.free}
    )
    update webhook_delivery as d set claimed_by = ${instanceId}::uuid, claimed_at = ${at}
    from chosen where d.id = chosen.id
    returning d.id`)
  return readClaimed(
    handle,
    rows.map(({ id }) => id),
  )
}

/**
 * Returns how many deliveries of the webhook are in flight on all instances. The number is exact while the
 * webhook's row is locked.
 */
async function countInProgress(
  handle: Handle,
  { webhookId, leaseSeconds }: { readonly webhookId: string; readonly leaseSeconds: number },
  now: string,
): Promise<number> {
  const { rows } = await handle.execute<{ count: number }>(sql`
    select count(*)::integer as count from webhook_delivery as d
    where d.webhook_id = ${webhookId} and d.state = 'pending'
      and ${inProgress(sql`${now}::timestamptz`, leaseSeconds)}`)
  return rows[0]?.count ?? 0
}

/** Returns a condition: whether a live instance has claimed the delivery `d`. */
function inProgress(at: SQL, leaseSeconds: number): SQL {
  return sql`(d.claimed_by is not null
    and d.claimed_at > ${at} - make_interval(secs => ${claimSeconds})
    and exists (select 1 from instance_lease where instance_lease.instance_id = d.claimed_by
      and instance_lease.renewed_at > now() - make_interval(secs => ${leaseSeconds})))`
}

async function readClaimed(handle: Handle, ids: readonly string[]): Promise<readonly ClaimedDelivery[]> {
  if (ids.length === 0) return []
  const rows = await handle
    .select({ ...getTableColumns(webhookDelivery), webhook })
    .from(webhookDelivery)
    .innerJoin(webhook, sql`${webhook.id} = ${webhookDelivery.webhookId}`)
    .where(inArray(webhookDelivery.id, [...ids]))
  return rows.flatMap(({ body, ...row }) => (body === null ? [] : [{ ...row, body }]))
}

const conversationDeleted = 'The conversation was deleted before this delivery.'

const delivery = webhookDelivery
const columns = Object.entries(getTableColumns(delivery))

function fieldOf(record: WebhookDeliveryRecord, field: string): unknown {
  const values: Readonly<Record<string, unknown>> = { ...record }
  return values[field]
}

/** The fields that are reset when a delivery starts again. */
const again = (at: string) => ({
  state: 'pending' as const,
  attemptCount: 0,
  dueAt: at,
  endedAt: null,
  updatedAt: at,
})

export function makeWebhookDeliveryStore(handle: Handle): WebhookDeliveryStore {
  const isOne = (webhookId: string, id: string) => and(eq(delivery.webhookId, webhookId), eq(delivery.id, id))

  return {
    async insert(records) {
      if (records.length === 0) return
      // Passes one value instead of twenty per row, for up to a thousand rows. This takes a third of the
      // time.
      const rows = records.map((record) =>
        Object.fromEntries(columns.map(([field, { name }]) => [name, fieldOf(record, field)])),
      )
      const names = sql.join(
        columns.map(([, { name }]) => sql.identifier(name)),
        sql`, `,
      )
      await handle.execute(sql`insert into webhook_delivery (${names})
        select ${names} from json_populate_recordset(null::webhook_delivery, ${JSON.stringify(rows)}::json)`)
    },

    claim: (instanceId, now, room) => claimDeliveries(handle, instanceId, now, room),

    countInProgress: (webhookId, leaseSeconds, now) =>
      countInProgress(handle, { webhookId, leaseSeconds }, now),

    async settle(instanceId, settled, at) {
      await handle.execute(sql`
        update webhook_delivery as delivery set
          state = settled.state, attempt_count = settled."attemptCount", attempted_at = settled."attemptedAt",
          due_at = settled."dueAt", ended_at = settled."endedAt", attempts = settled.attempts,
          updated_at = ${at}::timestamptz, claimed_by = null, claimed_at = null
        from jsonb_to_recordset(${JSON.stringify(settled)}::jsonb) as settled(
          id uuid, state text, "attemptCount" integer, "attemptedAt" timestamptz, "dueAt" timestamptz,
          "endedAt" timestamptz, attempts json, "claimedAt" timestamptz)
        where delivery.id = settled.id and delivery.claimed_by = ${instanceId}::uuid
          and delivery.claimed_at = settled."claimedAt" and delivery.state = 'pending'`)
    },

    async find(webhookId, id) {
      const [row] = await handle.select().from(delivery).where(isOne(webhookId, id))
      return row ?? null
    },

    async list(webhookId, { state, type, from, to }, page) {
      const where = and(
        eq(delivery.webhookId, webhookId),
        state && eq(delivery.state, state),
        type && eq(delivery.type, type),
        from === undefined ? undefined : gte(delivery.createdAt, from),
        to === undefined ? undefined : lt(delivery.createdAt, to),
      )
      const items = await handle
        .select()
        .from(delivery)
        .where(where)
        .orderBy(desc(delivery.id))
        .offset(page.offset)
        .limit(page.limit)
      const [total] = await handle.select({ count: count() }).from(delivery).where(where)
      return { items, totalCount: total?.count ?? 0 }
    },

    async summaries(webhookIds) {
      const waiting = await this.countWaiting(webhookIds, waitingShownAtMost)
      const last = await lastAttempted(handle, webhookIds)
      return new Map(
        webhookIds.map((id) => [
          id,
          { waitingCount: waiting.get(id) ?? 0, lastDelivery: summaryOf(last.get(id)) },
        ]),
      )
    },

    async countWaiting(webhookIds, atMost) {
      if (webhookIds.length === 0) return new Map()
      const { rows } = await handle.execute<{ id: string; count: number }>(sql`
        select webhook.id, (select count(*) from (
          select 1 from webhook_delivery
          where webhook_delivery.webhook_id = webhook.id and state = 'pending'
          limit ${atMost}) as waiting)::integer as count
        from webhook where ${inArray(sql`webhook.id`, [...webhookIds])}`)
      return new Map(rows.map((row) => [row.id, row.count]))
    },

    async redeliver(webhookId, id, at) {
      const [row] = await handle
        .update(delivery)
        .set(again(at))
        .where(and(isOne(webhookId, id), isNotNull(delivery.body)))
        .returning()
      return row ?? null
    },

    async redeliverSince({ webhookId, since, state }, at) {
      const changed = await handle
        .update(delivery)
        .set(again(at))
        .where(
          and(
            eq(delivery.webhookId, webhookId),
            gte(delivery.createdAt, since),
            state === null ? ne(delivery.state, 'pending') : eq(delivery.state, state),
            isNotNull(delivery.body),
          ),
        )
      return changed.rowCount ?? 0
    },

    async forgetConversation(conversationId, at) {
      // Events are deleted first. A transaction that turns them into deliveries holds their locks, so its
      // deliveries are found below.
      await handle.delete(webhookEvent).where(eq(webhookEvent.conversationId, conversationId))
      const belongsToConversation = and(eq(delivery.conversationId, conversationId), isNotNull(delivery.body))
      await handle
        .update(delivery)
        .set({
          state: 'failed',
          dueAt: null,
          endedAt: at,
          attempts: sql`to_json(array_prepend(
            json_build_object('at', ${at}::text, 'durationMilliseconds', 0, 'responseStatus', null,
              'responseBody', null, 'detail', ${conversationDeleted}::text),
            array(select json_array_elements(${delivery.attempts}))))`,
        })
        .where(and(belongsToConversation, eq(delivery.state, 'pending')))
      await handle.update(delivery).set({ body: null, updatedAt: at }).where(belongsToConversation)
    },
  }
}

/** The maximum count that is shown. */
const waitingShownAtMost = 100_000

async function lastAttempted(
  handle: Handle,
  webhookIds: readonly string[],
): Promise<ReadonlyMap<string, WebhookDeliveryRecord>> {
  if (webhookIds.length === 0) return new Map()
  const newest = sql`(select newest.id from webhook_delivery as newest
    where newest.webhook_id = webhook.id and newest.attempted_at is not null
    order by newest.attempted_at desc limit 1)`
  const rows = await handle
    .select()
    .from(delivery)
    .where(
      sql`${delivery.id} in (select ${newest} from webhook where ${inArray(sql`webhook.id`, [...webhookIds])})`,
    )
  return new Map(rows.map((row) => [row.webhookId, row]))
}

function summaryOf(record: WebhookDeliveryRecord | undefined) {
  const last = record?.attempts[0]
  if (record === undefined || last === undefined) return null
  const { id, type, state } = record
  return { id, type, state, at: last.at, responseStatus: last.responseStatus, detail: last.detail }
}
