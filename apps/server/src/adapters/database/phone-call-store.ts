import { and, asc, count, eq, gte, inArray, isNull, lt, type SQL, sql } from 'drizzle-orm'
import type { LostCalls, PhoneCallFilter, PhoneCallRecord, PhoneCallStore } from '../../ports/phone-stores.js'
import type { Handle } from './handle.js'
import { phoneCall } from './phone-schema.js'
import { equals } from './phone-store.js'
import { resourceStore } from './resource-store.js'
import { endUser } from './schema.js'

export function makePhoneCallStore(handle: Handle): PhoneCallStore {
  return { ...readsOf(handle), ...digitsOf(handle), ...queueOf(handle), ...changesOf(handle) }
}

type Reads =
  | 'list'
  | 'find'
  | 'findLocked'
  | 'insert'
  | 'findByProviderId'
  | 'countOpen'
  | 'sums'
  | 'outgoingSince'

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
    list,
    find,
    findLocked,
    insert,

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

    async sums(organizationId, bounds, filter) {
      const bucket = sql<number>`width_bucket(${phoneCall.createdAt}, ${`{${bounds.join()}}`}::timestamptz[]) - 1`
      const { answeredAt, endedAt } = phoneCall
      return handle
        .select({
          bucket,
          direction: phoneCall.direction,
          endReason: phoneCall.endReason,
          calls: count(),
          answered: count(answeredAt),
          seconds: sql<number>`coalesce(sum(greatest(0, extract(epoch from ${endedAt} - ${answeredAt}))), 0)::float8`,
        })
        .from(phoneCall)
        .where(
          and(
            eq(phoneCall.organizationId, organizationId),
            gte(phoneCall.createdAt, bounds[0] ?? ''),
            lt(phoneCall.createdAt, bounds.at(-1) ?? ''),
            equals(phoneCall.agentId, filter.agentId),
            equals(phoneCall.phoneNumberId, filter.phoneNumberId),
            equals(phoneCall.phoneConnectionId, filter.phoneConnectionId),
            equals(phoneCall.direction, filter.direction),
          ),
        )
        .groupBy(sql`1`, phoneCall.direction, phoneCall.endReason)
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

const isOpen = (id: string) => and(eq(phoneCall.id, id), isNull(phoneCall.endedAt))

type Digits = 'requestDigits' | 'takeDigits'

function digitsOf(handle: Handle): Pick<PhoneCallStore, Digits> {
  return {
    async requestDigits(organizationId, id, digits, most) {
      const waiting = sql`coalesce(${phoneCall.digitsRequested}, '') || ${digits}::text`
      const { rowCount } = await handle
        .update(phoneCall)
        .set({ digitsRequested: waiting })
        .where(
          and(
            isOpen(id),
            eq(phoneCall.organizationId, organizationId),
            eq(phoneCall.state, 'active'),
            isNull(phoneCall.endRequestedAt),
            sql`length(${waiting}) <= ${most}`,
          ),
        )
      return rowCount === 1
    },

    async takeDigits(id) {
      const { rows } = await handle.execute<{ digits: string | null }>(sql`
        update phone_call set digits_requested = null
        from (select id, digits_requested as digits from phone_call where id = ${id}::uuid for update) as taken
        where phone_call.id = taken.id returning taken.digits`)
      return rows[0]?.digits ?? null
    },
  }
}

type Queue = 'claimQueued'

/** The calls that wait for an instance. */
function queueOf(handle: Handle): Pick<PhoneCallStore, Queue> {
  return {
    claimQueued: ({ instanceId, at, limit, perOrganization, exceptOrganizations, lines }) =>
      handle
        .update(phoneCall)
        .set({ instanceId, state: 'ringing', ...next(at) })
        .where(
          // Locked rows cannot be counted, so the outer query locks those that the inner one has counted.
          sql`${phoneCall.id} in (select queued.id from phone_call as queued
            join (select waiting.id, row_number() over (partition by waiting.organization_id order by waiting.id) as place
              from phone_call as waiting
              where ${isQueued('waiting')} and ${canDial(instanceId, lines)}
                and waiting.organization_id <> all (${`{${exceptOrganizations.join()}}`}::uuid[])) as ranked
              on ranked.id = queued.id
            where ranked.place <= ${perOrganization} and ${isQueued('queued')}
            order by ranked.place, queued.id limit ${limit} for update of queued skip locked)`,
        )
        .returning(),
  }
}

/** The columns of the next version. */
const next = (at: string) => ({ updatedAt: at, version: sql`${phoneCall.version} + 1` })

/** The columns of a requested end. No instance runs a queued call, so it ends at once. */
const endOfQueued = (at: string) => {
  const { state, endedAt, endReason } = phoneCall
  return {
    endedAt: sql`case when ${state} = 'queued' then ${at}::timestamptz else ${endedAt} end`,
    endReason: sql`case when ${state} = 'queued' then 'stopped' else ${endReason} end`,
    state: sql`case when ${state} = 'queued' then 'ended' else ${state} end`,
  }
}

function changesOf(handle: Handle): Omit<PhoneCallStore, Reads | Digits | Queue> {
  return {
    async runningOn(instanceId) {
      const rows = await handle
        .select({ id: phoneCall.id })
        .from(phoneCall)
        .where(and(isNull(phoneCall.endedAt), eq(phoneCall.instanceId, instanceId)))
      return rows.map(({ id }) => id)
    },

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

    async end(id, { reason, detail, at, answeredAt = null }, onlyOf) {
      const [row] = await handle
        .update(phoneCall)
        .set({
          ...ended(reason, detail),
          ...next(at),
          endedAt: at,
          answeredAt: sql`coalesce(${phoneCall.answeredAt}, ${answeredAt}::timestamptz)`,
        })
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
          ...endOfQueued(at),
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
          ...endOfQueued(at),
        })
        .where(eq(phoneCall.conversationId, conversationId))
    },

    requested: (instanceId) =>
      handle
        .select()
        .from(phoneCall)
        .where(
          and(
            isNull(phoneCall.endedAt),
            sql`(${phoneCall.endRequestedAt} is not null or ${phoneCall.digitsRequested} is not null)`,
            eq(phoneCall.instanceId, instanceId),
          ),
        ),

    async endLost({ lost, except, end: { reason, detail, at } }) {
      const [row] = await handle
        .update(phoneCall)
        .set({ ...ended(reason, detail), endedAt: at, ...next(at) })
        .where(
          sql`${phoneCall.id} = (select lost.id from phone_call as lost
            where lost.ended_at is null and lost.id <> all(${`{${except.join()}}`}::uuid[]) and ${isLost(lost)}
            order by lost.id limit 1 for update skip locked)`,
        )
        .returning()
      return row ?? null
    },
  }
}

function isQueued(alias: 'waiting' | 'queued'): SQL {
  const row = sql.identifier(alias)
  return sql`${row}.ended_at is null and ${row}.state = 'queued' and ${row}.end_requested_at is null`
}

function isLost(lost: LostCalls): SQL {
  if (lost.kind === 'of_instance')
    return sql`lost.instance_id = ${lost.instanceId}::uuid
      and (lost.state = 'active' and lost.updated_at < ${lost.activeBefore}::timestamptz
        or lost.state = 'ringing' and lost.updated_at < ${lost.ringingBefore}::timestamptz)`
  if (lost.kind === 'undialed')
    return sql`lost.state = 'queued' and lost.created_at < ${lost.queuedBefore}::timestamptz
      and ${lost.isSip} = exists (select from phone_connection as line
        where line.id = lost.phone_connection_id and line.kind = 'sip')`
  return sql`lost.state <> 'queued' and lost.instance_id is not null and not exists (
    select from instance_lease where instance_lease.instance_id = lost.instance_id
    and instance_lease.renewed_at > now() - make_interval(secs => ${lost.leaseSeconds}))`
}

/** Whether the call `waiting` can be dialed here. A SIP call can only be dialed by the instance with its line. */
function canDial(instanceId: string, lines: readonly string[]): SQL {
  return sql`not exists (select from phone_connection as line where line.id = waiting.phone_connection_id
    and line.kind = 'sip' and (line.line_instance_id is distinct from ${instanceId}::uuid
      or line.id <> all(${`{${lines.join()}}`}::uuid[])))`
}

/** An ended call keeps no token and no waiting keys. */
function ended(reason: NonNullable<PhoneCallRecord['endReason']>, detail: string | null) {
  return {
    state: 'ended',
    endReason: reason,
    endDetail: detail,
    tokenHash: null,
    digitsRequested: null,
  } as const
}
