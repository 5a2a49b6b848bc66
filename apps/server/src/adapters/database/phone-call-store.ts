import { and, asc, count, eq, gte, inArray, isNull, lt, type SQL, sql } from 'drizzle-orm'
import type { PhoneCallFilter, PhoneCallRecord, PhoneCallStore } from '../../ports/phone-stores.js'
import type { Handle } from './handle.js'
import { phoneCall } from './phone-schema.js'
import { equals } from './phone-store.js'
import { resourceStore } from './resource-store.js'
import { endUser } from './schema.js'

export function makePhoneCallStore(handle: Handle): PhoneCallStore {
  return { ...readsOf(handle), ...queueOf(handle), ...changesOf(handle) }
}

type Reads = 'list' | 'find' | 'findLocked' | 'insert' | 'findByProviderId' | 'countOpen' | 'outgoingSince'

function readsOf(handle: Handle): Pick<PhoneCallStore, Reads> {
  const { list, find, findLocked, insert } = resourceStore<PhoneCallRecord, PhoneCallFilter>(
    handle,
    phoneCall,
    {
      matching: (filter, organizationId) => [
        equals(phoneCall.agentId, filter.agentId),
        equals(phoneCall.conversationId, filter.conversationId),
        equals(phoneCall.phoneNumberId, filter.phoneNumberId),
        equals(phoneCall.phoneConnectionId, filter.phoneConnectionId),
        equals(phoneCall.direction, filter.direction),
        equals(phoneCall.state, filter.state),
        equals(phoneCall.endReason, filter.endReason),
        equals(phoneCall.endUserId, filter.endUserId),
        filter.from === undefined ? undefined : gte(phoneCall.createdAt, filter.from),
        filter.to === undefined ? undefined : lt(phoneCall.createdAt, filter.to),
        filter.externalUserId === undefined
          ? undefined
          : inArray(
              phoneCall.endUserId,
              handle
                .select({ id: endUser.id })
                .from(endUser)
                .where(
                  and(
                    eq(endUser.organizationId, organizationId),
                    eq(endUser.externalId, filter.externalUserId),
                  ),
                ),
            ),
      ],
    },
  )
  return {
    ...{ list, find, findLocked, insert },

    async findByProviderId(phoneConnectionId, providerCallId) {
      const [row] = await handle
        .select()
        .from(phoneCall)
        .where(
          and(
            eq(phoneCall.phoneConnectionId, phoneConnectionId),
            eq(phoneCall.providerCallId, providerCallId),
          ),
        )
      return row ?? null
    },

    async countOpen(phoneConnectionId) {
      const [row] = await handle
        .select({ count: count() })
        .from(phoneCall)
        .where(and(eq(phoneCall.phoneConnectionId, phoneConnectionId), isNull(phoneCall.endedAt)))
      return row?.count ?? 0
    },

    async outgoingSince(phoneConnectionId, since, limit) {
      const rows = await handle
        .select({ createdAt: phoneCall.createdAt })
        .from(phoneCall)
        .where(
          and(
            eq(phoneCall.phoneConnectionId, phoneConnectionId),
            eq(phoneCall.direction, 'outgoing'),
            gte(phoneCall.createdAt, since),
          ),
        )
        .orderBy(asc(phoneCall.createdAt))
        .limit(limit)
      return rows.map(({ createdAt }) => createdAt)
    },
  }
}

type Queue = 'claimQueued' | 'closeUndialed'

/** The calls that wait for an instance. */
function queueOf(handle: Handle): Pick<PhoneCallStore, Queue> {
  return {
    claimQueued: ({ instanceId, at, limit, lines }) =>
      handle
        .update(phoneCall)
        .set({ instanceId, state: 'ringing', ...next(at) })
        .where(
          sql`${phoneCall.id} in (select queued.id from phone_call as queued
            where queued.ended_at is null and queued.state = 'queued' and queued.end_requested_at is null
              and not exists (select from phone_connection as line where line.id = queued.phone_connection_id
                and line.kind = 'sip' and (line.line_instance_id is distinct from ${instanceId}::uuid
                  or line.id <> all(${`{${lines.join()}}`}::uuid[])))
            order by queued.id limit ${limit} for update skip locked)`,
        )
        .returning(),

    closeUndialed: ({ queuedBefore, end: { reason, detail, at } }) =>
      handle
        .update(phoneCall)
        .set({ ...ended(reason, detail), endedAt: at, ...next(at) })
        .where(
          and(
            isNull(phoneCall.endedAt),
            eq(phoneCall.state, 'queued'),
            lt(phoneCall.createdAt, queuedBefore),
            sql`exists (select from phone_connection as line
              where line.id = ${phoneCall.phoneConnectionId} and line.kind = 'sip')`,
          ),
        )
        .returning(),
  }
}

/** The columns of the next version. */
const next = (at: string | SQL) => ({ updatedAt: at as string, version: sql`${phoneCall.version} + 1` })

function changesOf(handle: Handle): Omit<PhoneCallStore, Reads | Queue> {
  const isOpen = (id: string) => and(eq(phoneCall.id, id), isNull(phoneCall.endedAt))

  return {
    async claimAudio(tokenHash, instanceId, at) {
      const [row] = await handle
        .update(phoneCall)
        .set({ tokenHash: null, instanceId, ...next(at) })
        .where(
          and(
            eq(phoneCall.tokenHash, tokenHash),
            isNull(phoneCall.endedAt),
            isNull(phoneCall.endRequestedAt),
          ),
        )
        .returning()
      return row ?? null
    },

    async change(id, changes, at) {
      const [row] = await handle
        .update(phoneCall)
        .set({ ...changes, ...next(at) })
        .where(isOpen(id))
        .returning()
      return row ?? null
    },

    async end(id, { reason, detail, at }, onlyOf) {
      const [row] = await handle
        .update(phoneCall)
        .set({ ...ended(reason, detail), endedAt: at, ...next(at) })
        .where(and(isOpen(id), onlyOf === null ? undefined : eq(phoneCall.instanceId, onlyOf)))
        .returning()
      return row ?? null
    },

    async requestEnd(organizationId, id, at) {
      const rows = await handle
        .update(phoneCall)
        .set({
          endRequestedAt: at,
          ...next(at),
          // No instance runs a queued call, so it ends here.
          endedAt: sql`case when ${phoneCall.state} = 'queued' then ${at}::timestamptz end`,
          endReason: sql`case when ${phoneCall.state} = 'queued' then 'stopped' end`,
          state: sql`case when ${phoneCall.state} = 'queued' then 'ended' else ${phoneCall.state} end`,
        })
        .where(
          and(
            eq(phoneCall.organizationId, organizationId),
            id === null ? undefined : eq(phoneCall.id, id),
            isNull(phoneCall.endedAt),
            isNull(phoneCall.endRequestedAt),
          ),
        )
        .returning({ id: phoneCall.id })
      return rows.length
    },

    async forgetConversation(conversationId, at) {
      await handle
        .update(phoneCall)
        .set({
          from: sql`case when ${phoneCall.direction} = 'outgoing' then ${phoneCall.from} end`,
          to: sql`case when ${phoneCall.direction} = 'incoming' then ${phoneCall.to} end`,
          setup: sql`(${phoneCall.setup}::jsonb || '{"greeting": null, "additionalInstructions": null}')::json`,
          endRequestedAt: sql`coalesce(${phoneCall.endRequestedAt}, ${at}::timestamptz)`,
          ...next(at),
        })
        .where(eq(phoneCall.conversationId, conversationId))
    },

    endRequested: (instanceId) =>
      handle
        .select()
        .from(phoneCall)
        .where(
          and(
            isNull(phoneCall.endedAt),
            sql`${phoneCall.endRequestedAt} is not null`,
            eq(phoneCall.instanceId, instanceId),
          ),
        ),

    closeLost: ({ leaseSeconds, ringingBefore, end: { reason, detail, at } }) =>
      handle
        .update(phoneCall)
        .set({ ...ended(reason, detail), endedAt: at, ...next(at) })
        .where(
          and(
            isNull(phoneCall.endedAt),
            sql`${phoneCall.state} <> 'queued'`,
            sql`((${phoneCall.state} = 'ringing' and ${phoneCall.updatedAt} < ${ringingBefore}::timestamptz)
              or ${phoneCall.instanceId} is not null and not exists (
                select from instance_lease where instance_lease.instance_id = ${phoneCall.instanceId}
                and instance_lease.renewed_at > now() - make_interval(secs => ${leaseSeconds})))`,
          ),
        )
        .returning(),
  }
}

/** An ended call keeps no token and no settings. */
function ended(reason: NonNullable<PhoneCallRecord['endReason']>, detail: string | null) {
  return { state: 'ended', endReason: reason, endDetail: detail, tokenHash: null } as const
}
