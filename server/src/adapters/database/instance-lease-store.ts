import { and, eq, sql } from 'drizzle-orm'
import type { InstanceLeaseStore } from '../../ports/instance-lease-store.js'
import type { Handle } from './handle.js'
import { instanceLease } from './schema.js'

export function makeInstanceLeaseStore(handle: Handle): InstanceLeaseStore {
  return {
    async renew(instanceId, unbrokenSeconds) {
      const unbroken = sql`${instanceLease.renewedAt} > now() - make_interval(secs => ${unbrokenSeconds})`
      const held = await handle
        .select()
        .from(instanceLease)
        .where(and(eq(instanceLease.instanceId, instanceId), unbroken))
      await handle
        .insert(instanceLease)
        .values({ instanceId, renewedAt: sql`now()` })
        .onConflictDoUpdate({ target: instanceLease.instanceId, set: { renewedAt: sql`now()` } })
      return held.length > 0
    },

    async release(instanceId) {
      await handle.delete(instanceLease).where(eq(instanceLease.instanceId, instanceId))
    },

    async closeLost(leaseSeconds) {
      // The database's own time decides: the clocks of two instances need not agree.
      const lost = await handle.execute(sql`
        update realtime_session set ended_at = now(), end_reason = 'instance_lost', updated_at = now(), version = version + 1
        where state = 'consumed' and ended_at is null and not exists (
          select 1 from instance_lease
          where instance_lease.instance_id = realtime_session.instance_id
            and instance_lease.renewed_at > now() - make_interval(secs => ${leaseSeconds}))`)
      await handle.execute(
        sql`delete from instance_lease where renewed_at < now() - make_interval(secs => ${leaseSeconds * 20})`,
      )
      return lost.rowCount ?? 0
    },
  }
}
