import { and, asc, eq, sql } from 'drizzle-orm'
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
