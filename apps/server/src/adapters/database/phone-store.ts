import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type {
  PhoneConnectionFilter,
  PhoneConnectionRecord,
  PhoneConnectionStore,
  PhoneNumberFilter,
  PhoneNumberRecord,
  PhoneNumberStore,
} from '../../ports/phone-stores.js'
import type { Handle } from './handle.js'
import { phoneConnection, phoneNumber } from './phone-schema.js'
import { contains, resourceStore, upsertStore } from './resource-store.js'

export function makePhoneConnectionStore(handle: Handle): PhoneConnectionStore {
  return {
    ...resourceStore<PhoneConnectionRecord, PhoneConnectionFilter>(handle, phoneConnection, {
      matching: ({ search }) => [contains(search, phoneConnection.name)],
    }),
    ...upsertStore<PhoneConnectionRecord>(handle, phoneConnection),

    async findForProvider(id) {
      const [row] = await handle.select().from(phoneConnection).where(eq(phoneConnection.id, id))
      return row ?? null
    },

    async saveCheck(id, failure, at) {
      await handle.update(phoneConnection).set({ failure, checkedAt: at }).where(eq(phoneConnection.id, id))
    },

    async claimLines({ instanceId, leaseSeconds, limit }) {
      const isHeld = isHeldWithin(leaseSeconds)
      await handle
        .update(phoneConnection)
        .set({ lineInstanceId: instanceId })
        .where(
          // Locked rows cannot be counted, so the outer query locks those that the inner one has counted.
          sql`${isLive(sql`${instanceId}::uuid`, leaseSeconds)} and ${phoneConnection.id} in (
            select line.id from phone_connection as line
            join (select counted.id, row_number() over (
                partition by counted.organization_id order by ${isHeld('counted')} desc, counted.id) as place
              from phone_connection as counted where ${isLine('counted')}) as ranked
              on ranked.id = line.id
            where ${isLine('line')} and not ${isHeld('line')}
            order by ranked.place, line.id limit ${limit} for update of line skip locked)`,
        )
    },

    async failUnheldLines({ leaseSeconds, failure, unchangedSince, at }) {
      await handle.execute(sql`
        update phone_connection as line set failure = ${failure}, checked_at = ${at}::timestamptz
        where ${isLine('line')} and not ${isHeldWithin(leaseSeconds)('line')}
          and line.updated_at < ${unchangedSince}::timestamptz and line.failure is distinct from ${failure}`)
    },

    linesOf: (instanceId) =>
      handle.select().from(phoneConnection).where(eq(phoneConnection.lineInstanceId, instanceId)),

    async releaseLines(instanceId, ids) {
      await handle
        .update(phoneConnection)
        .set({ lineInstanceId: null })
        .where(
          and(
            eq(phoneConnection.lineInstanceId, instanceId),
            ids === null ? undefined : inArray(phoneConnection.id, [...ids]),
          ),
        )
    },

    async disableAll(organizationId, at) {
      const rows = await handle
        .update(phoneConnection)
        .set({ isEnabled: false, updatedAt: at, version: sql`${phoneConnection.version} + 1` })
        .where(and(eq(phoneConnection.organizationId, organizationId), eq(phoneConnection.isEnabled, true)))
        .returning({ id: phoneConnection.id })
      return rows.map(({ id }) => id)
    },
  }
}

/** Whether the row is a SIP account that needs a line. */
function isLine(alias: 'line' | 'counted'): SQL {
  const row = sql.identifier(alias)
  return sql`${row}.kind = 'sip' and ${row}.is_enabled and ${row}.sealed_secret is not null`
}

const isLive = (instanceId: SQL, leaseSeconds: number) => sql`exists (
  select from instance_lease where instance_lease.instance_id = ${instanceId}
  and instance_lease.renewed_at > now() - make_interval(secs => ${leaseSeconds}))`

const isHeldWithin = (leaseSeconds: number) => (alias: 'line' | 'counted') =>
  isLive(sql`${sql.identifier(alias)}.line_instance_id`, leaseSeconds)

export function makePhoneNumberStore(handle: Handle): PhoneNumberStore {
  return {
    ...resourceStore<PhoneNumberRecord, PhoneNumberFilter>(handle, phoneNumber, {
      matching: ({ search, agentId, phoneConnectionId }) => [
        contains(search, phoneNumber.name, phoneNumber.number),
        equals(phoneNumber.agentId, agentId),
        equals(phoneNumber.phoneConnectionId, phoneConnectionId),
      ],
    }),
    ...upsertStore<PhoneNumberRecord>(handle, phoneNumber),

    async findByNumber(phoneConnectionId, number) {
      const [row] = await handle
        .select()
        .from(phoneNumber)
        .where(and(eq(phoneNumber.phoneConnectionId, phoneConnectionId), eq(phoneNumber.number, number)))
      return row ?? null
    },

    findAllByNumber: (organizationId, number) =>
      handle
        .select()
        .from(phoneNumber)
        .where(
          and(
            eq(phoneNumber.organizationId, organizationId),
            eq(phoneNumber.number, number),
            eq(phoneNumber.isEnabled, true),
          ),
        )
        .orderBy(asc(phoneNumber.id)),
  }
}

/** Returns the condition of an optional filter. */
export const equals = (column: Parameters<typeof eq>[0], value: string | undefined) =>
  value === undefined ? undefined : eq(column, value)
