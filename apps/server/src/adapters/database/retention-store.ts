import { type SQL, sql } from 'drizzle-orm'
import type { OverdueKind, RetentionStore } from '../../ports/installation-stores.js'
import type { Handle } from './handle.js'
import { tryAdvisoryLock } from './locks.js'

interface Overdue {
  readonly table: string
  /** The columns of the primary key. */
  readonly key: readonly string[]
  /** The condition for the rows to remove. An index exists for each condition. */
  readonly isOver: (moment: SQL) => SQL
}

/**
 * Ids contain the creation time according to their instance. That clock may be ahead of the clock that set
 * the end of the turn.
 */
const clockDifferenceMilliseconds = 60 * 60 * 1000

/** The maximum number of completed deliveries that are kept per webhook. */
const maxKeptDeliveries = 10_000

const overdue: Readonly<Record<OverdueKind, Overdue>> = {
  expiredFiles: {
    table: 'temporary_file',
    key: ['id'],
    isOver: (moment) => sql`expires_at <= ${moment}`,
  },
  unfinishedUploads: {
    table: 'temporary_file',
    key: ['id'],
    isOver: (moment) => sql`completed_at is null and created_at < ${moment}`,
  },
  idempotencyAnswers: {
    table: 'idempotency_key',
    key: ['organization_id', 'key'],
    isOver: (moment) => sql`created_at < ${moment}`,
  },
  turnEvents: {
    table: 'turn_event',
    key: ['turn_id', 'sequence'],
    // In the order of their ids, oldest turns first. Turns without remaining events are skipped.
    isOver: (moment) => sql`turn_id < ${firstIdAfter(moment)}
      and exists (select 1 from turn where turn.id = turn_event.turn_id and turn.ended_at < ${moment})
      order by turn_id, sequence`,
  },
  // Deliveries that wait for a disabled webhook are removed as well.
  webhookDeliveries: {
    table: 'webhook_delivery',
    key: ['id'],
    isOver: (moment) => sql`coalesce(ended_at, due_at) < ${moment}`,
  },
  surplusDeliveries: {
    table: 'webhook_delivery',
    key: ['id'],
    isOver: () => sql`id in (
      select surplus.id from webhook cross join lateral (
        select id from webhook_delivery as kept
        where kept.webhook_id = webhook.id and kept.state <> 'pending'
        order by kept.ended_at desc offset ${maxKeptDeliveries}) as surplus)`,
  },
  unusedTickets: {
    table: 'realtime_session',
    key: ['id'],
    isOver: (moment) => sql`state = 'issued' and expires_at < ${moment}`,
  },
  endedSessions: {
    table: 'realtime_session',
    key: ['id'],
    isOver: (moment) => sql`ended_at < ${moment}`,
  },
  endedCalls: {
    table: 'phone_call',
    key: ['id'],
    isOver: (moment) => sql`ended_at < ${moment}`,
  },
  endedTurns: {
    table: 'turn',
    key: ['id'],
    isOver: (moment) => sql`ended_at < ${moment}`,
  },
  finishedApprovals: {
    table: 'approval',
    key: ['id'],
    isOver: (moment) => sql`finished_at < ${moment}`,
  },
  deletedApiKeys: {
    table: 'api_key',
    key: ['id'],
    isOver: (moment) => sql`deleted_at < ${moment}`,
  },
  endedPersonSessions: {
    table: 'person_session',
    key: ['id'],
    isOver: (moment) => sql`expires_at < ${moment}`,
  },
  // Accepted invitations are kept as long as open ones, until their links would have expired.
  closedInvitations: {
    table: 'invitation',
    key: ['id'],
    isOver: (moment) => sql`expires_at < ${moment}`,
  },
  usedOidcStates: {
    table: 'used_oidc_state',
    key: ['state_hash'],
    isOver: (moment) => sql`expires_at < ${moment}`,
  },
  signInTries: {
    table: 'sign_in_tries',
    key: ['key'],
    isOver: (moment) => sql`expires_at < ${moment}`,
  },
  usageRecords: {
    table: 'usage_record',
    key: ['source_id', 'item'],
    isOver: (moment) => sql`at < ${moment}`,
  },
  usageCounters: {
    table: 'usage_counter',
    key: ['organization_id', 'subject_id', 'period', 'starts_on'],
    isOver: (moment) => sql`starts_on < ${moment}::date`,
  },
  usageCounterParts: {
    table: 'usage_counter_part',
    key: ['organization_id', 'subject_id', 'period', 'starts_on', 'shard'],
    isOver: (moment) => sql`starts_on < ${moment}::date`,
  },
  // A zero does not change the sum, so it can be removed at any time.
  sessionCounts: {
    table: 'running_session_count',
    key: ['organization_id', 'instance_id', 'shard'],
    isOver: () => sql`sessions = 0
      and not exists (select from instance_lease where instance_lease.instance_id = running_session_count.instance_id)`,
  },
  deletedConversations: {
    table: 'conversation',
    key: ['id'],
    isOver: (moment) => sql`deleted_at < ${moment}
      and not exists (select 1 from message where message.conversation_id = conversation.id)
      and not exists (select 1 from conversation_summary where conversation_summary.conversation_id = conversation.id)
      and not exists (select 1 from conversation_file where conversation_file.conversation_id = conversation.id)
      and not exists (select 1 from realtime_session where realtime_session.conversation_id = conversation.id)
      and not exists (select 1 from turn where turn.conversation_id = conversation.id)
      and not exists (select 1 from approval where approval.conversation_id = conversation.id)`,
  },
}

export function makeRetentionStore(handle: Handle): RetentionStore {
  return {
    tryLock: () => tryAdvisoryLock(handle, 'retention'),

    async removeBefore(kind, moment, limit) {
      const { table, key, isOver } = overdue[kind]
      const name = sql.identifier(table)
      const columns = sql.join(
        key.map((column) => sql.identifier(column)),
        sql`, `,
      )
      const same = sql.join(
        key.map((column) => sql`${name}.${sql.identifier(column)} = over_now.${sql.identifier(column)}`),
        sql` and `,
      )
      // Materialized, so that the limit applies with every query plan.
      const removed = await handle.execute(sql`
        with over_now as materialized (
          select ${columns} from ${name} where ${isOver(sql`${moment}::timestamptz`)}
          limit ${limit} for update of ${name} skip locked)
        delete from ${name} using over_now where ${same}`)
      return removed.rowCount ?? 0
    },
  }
}

/** Returns the lowest UUIDv7 that may be created after the given time, allowing for clock differences. */
export function firstIdAfter(moment: SQL): SQL {
  const milliseconds = sql`(extract(epoch from ${moment}) * 1000)::bigint + ${clockDifferenceMilliseconds}`
  return sql`rpad(lpad(to_hex(${milliseconds}), 12, '0'), 32, '0')::uuid`
}
