import type { EndReason } from '@parley/contract'
import { eq, ne, type SQL, sql } from 'drizzle-orm'
import type { InstanceLeaseStore, InstanceLoad } from '../../ports/installation-stores.js'
import type { Handle } from './handle.js'
import { instanceLease } from './installation-schema.js'
import { placeholder, sqlStatement } from './statement.js'

const unknownOutcome = 'The service stopped while the tool was running, so its outcome is unknown.'

/** These statements are executed every few seconds, so they are prepared. */
const renewLease = sqlStatement<{ isHeld: boolean }>(
  'instance_lease_renew',
  // A single statement. Otherwise, an instance that paused between two statements would renew a lease that it
  // no longer holds.
  () => sql`
    with held as (
      select from instance_lease where instance_id = ${placeholder('instanceId')}
        and renewed_at > clock_timestamp() - make_interval(secs => ${placeholder('unbrokenSeconds')}))
    insert into instance_lease (instance_id, renewed_at) values (${placeholder('instanceId')}, now())
    on conflict (instance_id) do update set renewed_at = now()
    returning exists (select from held) as "isHeld"`,
)

const removeLeases = sqlStatement(
  'instance_lease_remove',
  () =>
    sql`delete from instance_lease where renewed_at < now() - make_interval(secs => ${placeholder('seconds')})`,
)

const sessionLoads = sqlStatement<InstanceLoad>(
  'instance_lease_session_loads',
  () => sql`
    select instance_lease.instance_id as "instanceId", count(realtime_session.id)::integer as sessions
    from instance_lease left join realtime_session
      on realtime_session.instance_id = instance_lease.instance_id
      and realtime_session.state = 'consumed' and realtime_session.ended_at is null
    where not is_draining
      and renewed_at > now() - make_interval(secs => ${placeholder('leaseSeconds')})
    group by instance_lease.instance_id`,
)

const withSuccessor = sqlStatement<{ id: string }>(
  'realtime_session_with_successor',
  () => sql`
    select session.id from realtime_session session
    where session.id in (select unnest(${placeholder('ids')}::uuid[])) and exists (
      select from realtime_session successor
      where successor.conversation_id = session.conversation_id and successor.created_at > session.created_at
        and successor.state = 'issued' and successor.expires_at > now())`,
)

export function makeInstanceLeaseStore(handle: Handle): InstanceLeaseStore {
  return {
    async renew(instanceId, unbrokenSeconds) {
      const [row] = await renewLease(handle, { instanceId, unbrokenSeconds })
      return row?.isHeld === true
    },

    async release(instanceId) {
      await handle.delete(instanceLease).where(eq(instanceLease.instanceId, instanceId))
    },

    async markDraining(instanceId) {
      await handle
        .update(instanceLease)
        .set({ isDraining: true })
        .where(eq(instanceLease.instanceId, instanceId))
    },

    sessionLoads: async (leaseSeconds) => sessionLoads(handle, { leaseSeconds }),

    async sessionsWithSuccessor(ids) {
      const rows = await withSuccessor(handle, { ids: `{${ids.join()}}` })
      return rows.map(({ id }) => id)
    },

    async releaseOthers(instanceId) {
      await handle.delete(instanceLease).where(ne(instanceLease.instanceId, instanceId))
    },

    async closeLost(leaseSeconds) {
      const [row] = await closeLost(handle, { leaseSeconds })
      await removeLeases(handle, { seconds: leaseSeconds * 20 })
      return row?.count ?? 0
    },

    async closeOrphaned(instanceId, runningIds, seconds) {
      // The ids are passed as text, because the driver takes milliseconds to serialize a list of a thousand
      // values.
      const [row] = await closeOrphaned(handle, {
        instanceId,
        runningIds: `{${runningIds.join()}}`,
        seconds,
      })
      return row?.count ?? 0
    },
  }
}

interface LostWork {
  readonly isLost: SQL
  readonly isClaimLost: SQL
  readonly reason: EndReason
}

/**
 * An approved call may run on a different instance than its session. Whether it is lost therefore depends on
 * the instance that claimed the call, not on the instance of the session.
 */
const isApproved = sql`exists (
  select from approval where approval.message_id = message.id and approval.finished_at is null)`

/**
 * Uses a single statement, so that readers never see a closed session with running calls. Tools may continue
 * to run after their session has ended normally. If their instance is lost, these calls are closed as well.
 */
function closeSessions({ isLost, isClaimLost, reason }: LostWork): SQL {
  return sql`
    with lost_session as (
      update realtime_session
      set ended_at = now(), end_reason = ${reason}, updated_at = now(), version = version + 1
      where state = 'consumed' and ended_at is null and ${isLost}
      returning id),
    lost_approval as (
      update approval set finished_at = now(), updated_at = now(), version = version + 1
      where finished_at is null and claimed_by is not null and ${isClaimLost}
      returning message_id),
    lost_call as (
      select message.id from message join realtime_session on realtime_session.id = message.origin_id
      where message.role in ('tool', 'subagent') and message.status = 0
        and not ${isApproved} and realtime_session.state = 'consumed' and ${isLost}
      union select message_id from lost_approval),
    lost_message as (
      update message set status = 2, failure = ${unknownOutcome}, content = ${unknownOutcome}, updated_at = now()
      where id in (select id from lost_call) and status in (0, 3))
    select count(*)::integer as count from lost_session`
}

/** Uses the database's time, because the clocks of two instances may differ. */
const isDead = (instanceId: SQL) => sql`not exists (
  select 1 from instance_lease
  where instance_lease.instance_id = ${instanceId}
    and instance_lease.renewed_at > now() - make_interval(secs => ${placeholder('leaseSeconds')}))`

const closeLost = sqlStatement<{ count: number }>('realtime_session_close_lost', () =>
  closeSessions({
    isLost: isDead(sql`realtime_session.instance_id`),
    isClaimLost: isDead(sql`approval.claimed_by`),
    reason: 'instance_lost',
  }),
)

/**
 * Uses a hash of the running sessions, because a pairwise comparison took 15 ms for a thousand sessions and
 * grows quadratically.
 */
const closeOrphaned = sqlStatement<{ count: number }>('realtime_session_close_forgotten', () =>
  closeSessions({
    isLost: sql`realtime_session.instance_id = ${placeholder('instanceId')}
      and realtime_session.started_at < now() - make_interval(secs => ${placeholder('seconds')})
      and realtime_session.id not in (select unnest(${placeholder('runningIds')}::uuid[]))`,
    isClaimLost: sql`false`,
    reason: 'internal',
  }),
)
