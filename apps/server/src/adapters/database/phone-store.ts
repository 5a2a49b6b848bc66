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
      const isLive = (
        id: SQL,
      ) => sql`exists (select from instance_lease where instance_lease.instance_id = ${id}
        and instance_lease.renewed_at > now() - make_interval(secs => ${leaseSeconds}))`
      await handle
        .update(phoneConnection)
        .set({ lineInstanceId: instanceId })
        .where(
          sql`${isLive(sql`${instanceId}::uuid`)} and ${phoneConnection.id} in (
            select line.id from phone_connection as line
            where line.kind = 'sip' and line.is_enabled and line.sealed_secret is not null
              and (line.line_instance_id is null or not ${isLive(sql`line.line_instance_id`)})
            order by line.id limit ${limit} for update skip locked)`,
        )
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
