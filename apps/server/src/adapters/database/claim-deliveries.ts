import { getTableColumns, inArray, type SQL, sql } from 'drizzle-orm'
import type { Claimant, ClaimedDelivery, DeliveryRoom } from '../../ports/webhook-delivery-store.js'
import type { Handle } from './handle.js'
import { webhook, webhookDelivery } from './webhook-schema.js'

/** Longer than any attempt takes: a claim that is older was forgotten, by an instance that lives. */
const claimSeconds = 60

/**
 * A webhook's row is locked while its deliveries are chosen, so that two instances never have more under way to it than it
 * may; who finds it locked leaves it for the next time. They are chosen by a statement of its own, after that: one that had
 * begun before another instance was through would not see what that one has claimed, and claim it too. One delivery of a
 * thing waits for the earlier ones of the same thing, unless these have failed so often that they might keep it for a day.
 */
export async function claimDeliveries(
  handle: Handle,
  { instanceId, leaseSeconds }: Claimant,
  now: string,
  room: DeliveryRoom,
): Promise<readonly ClaimedDelivery[]> {
  const at = sql`${now}::timestamptz`
  const isUnderWay = underWay(at, leaseSeconds)
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
          and ${isUnderWay})::integer as free
      from ready
    ), found as (
      select next.id, allowed.is_failing,
        row_number() over (partition by allowed.organization_id order by next.position) as turn
      from allowed cross join lateral (
        select d.id, d.position from webhook_delivery as d
        where d.webhook_id = allowed.id and d.state = 'pending' and d.due_at <= ${at} and d.body is not null
          and not ${isUnderWay}
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

/** Returns how many deliveries of the webhook are under way on all instances. Exact while its row is locked. */
export async function countUnderWay(
  handle: Handle,
  { webhookId, leaseSeconds }: { readonly webhookId: string; readonly leaseSeconds: number },
  now: string,
): Promise<number> {
  const { rows } = await handle.execute<{ count: number }>(sql`
    select count(*)::integer as count from webhook_delivery as d
    where d.webhook_id = ${webhookId} and d.state = 'pending'
      and ${underWay(sql`${now}::timestamptz`, leaseSeconds)}`)
  return rows[0]?.count ?? 0
}

/** Whether the delivery `d` is claimed by an instance that lives. */
function underWay(at: SQL, leaseSeconds: number): SQL {
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
