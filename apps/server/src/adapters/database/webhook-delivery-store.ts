import { and, count, desc, eq, getTableColumns, gte, inArray, isNotNull, lt, ne, sql } from 'drizzle-orm'
import type { WebhookDeliveryRecord, WebhookDeliveryStore } from '../../ports/webhook-delivery-store.js'
import { claimDeliveries, countUnderWay } from './claim-deliveries.js'
import type { Handle } from './handle.js'
import { webhookDelivery, webhookEvent } from './webhook-schema.js'

const conversationDeleted = 'The conversation was deleted before it was delivered.'

const delivery = webhookDelivery
const columns = Object.entries(getTableColumns(delivery))

function fieldOf(record: WebhookDeliveryRecord, field: string): unknown {
  const values: Readonly<Record<string, unknown>> = { ...record }
  return values[field]
}

/** From the start, as if it had just happened. */
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
      // One value instead of twenty for each row, of which there may be a thousand: a third of the time.
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

    countUnderWay: (webhookId, leaseSeconds, now) => countUnderWay(handle, { webhookId, leaseSeconds }, now),

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
      // Events first: whoever makes deliveries of them holds them, and what was made meanwhile is found below.
      await handle.delete(webhookEvent).where(eq(webhookEvent.conversationId, conversationId))
      const isOfIt = and(eq(delivery.conversationId, conversationId), isNotNull(delivery.body))
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
        .where(and(isOfIt, eq(delivery.state, 'pending')))
      await handle.update(delivery).set({ body: null, updatedAt: at }).where(isOfIt)
    },
  }
}

/** A page shows no more than that there are very many. */
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
