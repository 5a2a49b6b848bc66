import { type SQL, sql } from 'drizzle-orm'
import type { ChangeCursor, ChangeStore, FoundChange } from '../../ports/changes.js'
import type { Handle } from './handle.js'
import { databaseMicroseconds } from './moments.js'

/*
 * Transactions decide which rows are new. Every row carries the number of the transaction that wrote it
 * (xmin), and a statement's snapshot lists the visible transactions. A row is new if it is visible now and
 * was not visible to the cursor's snapshot. The next poll therefore finds late commits too, independently of
 * clocks.
 *
 * Clocks only limit the search, because the timestamps that instances write have an index. The search goes
 * back by `lookBackSeconds` before the cursor. This allows a minute of difference between an instance's clock
 * and the database's, and a minute between a timestamp and its commit. No transaction takes longer: the code
 * takes the timestamp just before the statement, which ends after 30 s (statement_timeout). It commits within
 * a few more statements, and each of them and each pause between them is limited too
 * (idle_in_transaction_session_timeout).
 *
 * Rows written in a savepoint would carry a number that no snapshot lists, so this code uses no savepoints.
 */
const lookBackSeconds = 120

/** The clock difference between instances up to which a new row is reported as created, not as updated. */
const newSeconds = 5

interface Present {
  readonly snapshot: string
  readonly microseconds: string
}

interface FoundRow extends Present {
  readonly change: FoundChange | null
}

export function makeChangeStore(handle: Handle): ChangeStore {
  return {
    async present() {
      const { rows } = await handle.execute<Present & Record<string, unknown>>(sql`select ${presentColumns}`)
      return cursorOf(rows[0])
    },

    async after(organizationId, cursor, limit) {
      const { rows } = await handle.execute<FoundRow & Record<string, unknown>>(sql`
        with present as materialized (
          select ${presentColumns}, pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next_transaction)
        select present.snapshot, present.microseconds, found.change
        from present left join lateral (
          ${sql.join(branches(organizationId, cursor), sql` union all `)} limit ${limit}) as found on true`)
      return {
        cursor: cursorOf(rows[0]),
        changes: rows.flatMap(({ change }) => (change === null ? [] : [withUtcMoment(change)])),
      }
    },
  }
}

const presentColumns = sql`pg_current_snapshot()::text as snapshot, ${databaseMicroseconds}::text as microseconds`

function cursorOf(row: Present | undefined): ChangeCursor {
  const [, next = '', open = ''] = row?.snapshot.split(':') ?? []
  return {
    microseconds: Number(row?.microseconds),
    nextTransaction: Number(next),
    openTransactions: open === '' ? [] : open.split(',').map(Number),
  }
}

const withUtcMoment = (change: FoundChange): FoundChange => ({
  ...change,
  at: new Date(change.at).toISOString(),
})

function branches(organizationId: string, cursor: ChangeCursor): SQL[] {
  const seconds = cursor.microseconds / 1_000_000
  const since = sql`to_timestamp(${seconds - lookBackSeconds})`
  const newSince = sql`to_timestamp(${seconds - newSeconds})`
  const firstId = sql`${firstIdAt(seconds - lookBackSeconds)}::uuid`
  const ofOrganization = (table: string) => sql`${sql.identifier(table)}.organization_id = ${organizationId}`
  const isUnseen = (table: string) => wasUnseen(table, cursor)

  const rowOf = (resource: string, table: string, conversationId: string) => {
    const row = sql.identifier(table)
    return sql`json_build_object('kind', 'row', 'resource', ${resource}::text, 'id', ${row}.id,
      'conversationId', ${row}.${sql.identifier(conversationId)},
      'endUser', (
        select json_build_object('endUserId', named.end_user_id, 'externalUserId', named.external_user_id)
        from conversation as named where named.id = ${row}.${sql.identifier(conversationId)}),
      'isNew', ${row}.created_at > ${newSince}, 'at', ${row}.updated_at)`
  }
  const changed = (resource: string, table: string) => sql`
    select ${rowOf(resource, table, 'conversation_id')} as change from ${sql.identifier(table)}
    where ${ofOrganization(table)} and ${sql.identifier(table)}.updated_at > ${since} and ${isUnseen(table)}`

  const isCounted = (table: string) => sql`exists (select from ${sql.identifier(table)}
    where ${ofOrganization(table)} and subject_id = ${organizationId} and period = 'day'
      and starts_on >= ${since}::date - 1 and ${isUnseen(table)})`

  return [
    sql`
    select json_build_object('kind', 'record', 'id', audit_record.id, 'action', action, 'outcome', outcome,
      'resourceType', resource_type, 'resourceId', resource_id, 'invitationId', details->>'invitationId',
      'memberId', member.id, 'at', at, 'endUser', (
        select json_build_object('endUserId', end_user.id, 'externalUserId', end_user.external_id)
        from end_user where end_user.id = (details->>'endUserId')::uuid and ${ofOrganization('end_user')})) as change
    from audit_record left join member on ${ofOrganization('member')}
      and member.person_id = case when resource_type = 'Person' then resource_id::uuid end
    where ${ofOrganization('audit_record')} and audit_record.id > ${firstId} and ${isUnseen('audit_record')}`,
    changed('Message', 'message'),
    changed('Turn', 'turn'),
    changed('RealtimeSession', 'realtime_session'),
    changed('Approval', 'approval'),
    changed('PhoneCall', 'phone_call'),
    // Only new conversations. Other changes to a conversation are messages or appear in the audit log.
    sql`
    select ${rowOf('Conversation', 'conversation', 'id')} as change from conversation
    where ${ofOrganization('conversation')} and conversation.id > ${firstId} and conversation.deleted_at is null
      and ${isUnseen('conversation')}`,
    deliveries(organizationId, { since, firstId, isUnseen: isUnseen('webhook_delivery') }),
    // Usage that is recorded late, for example after an outage, is detected through that day's counters.
    sql`
    select json_build_object('kind', 'activity', 'resource', 'Usage', 'id', ${organizationId}::uuid, 'at', now()) as change
    where exists (select from usage_record where ${ofOrganization('usage_record')} and usage_record.at > ${since}
      and ${isUnseen('usage_record')})
    or ${isCounted('usage_counter')} or ${isCounted('usage_counter_part')}`,
  ]
}

interface DeliveryLook {
  readonly since: SQL
  readonly firstId: SQL
  readonly isUnseen: SQL
}

/**
 * Webhooks whose deliveries were created, attempted, or retried. Each case has an index that begins with the
 * webhook.
 */
function deliveries(organizationId: string, { since, firstId, isUnseen }: DeliveryLook): SQL {
  const isAny = (condition: SQL) => sql`exists (select from webhook_delivery
    where webhook_delivery.webhook_id = webhook.id and ${condition} and ${isUnseen})`
  return sql`
    select json_build_object('kind', 'activity', 'resource', 'Webhook', 'id', webhook.id, 'at', now()) as change
    from webhook where webhook.organization_id = ${organizationId} and (
      ${isAny(sql`webhook_delivery.attempted_at > ${since}`)}
      or ${isAny(sql`webhook_delivery.id > ${firstId}`)}
      or ${isAny(sql`webhook_delivery.state = 'pending' and webhook_delivery.due_at between ${since} and now()`)})`
}

/**
 * Rows carry the low 32 bits of their transaction number. The high bits equal those of the snapshot, or are
 * one less.
 */
function wasUnseen(table: string, { nextTransaction, openTransactions }: ChangeCursor): SQL {
  const written = sql`(present.next_transaction -
    ((present.next_transaction - ${sql.identifier(table)}.xmin::text::bigint) & 4294967295))`
  const isLater = sql`${written} >= ${nextTransaction}::bigint`
  if (openTransactions.length === 0) return isLater
  return sql`(${isLater} or ${written} = any(${sql.param(openTransactions)}::bigint[]))`
}

/** Returns the lowest UUIDv7 of that second. */
function firstIdAt(seconds: number): string {
  const milliseconds = Math.max(0, Math.floor(seconds * 1000))
  return milliseconds.toString(16).padStart(12, '0').padEnd(32, '0')
}
