import type { Database } from '../../ports/database.js'
import type { RemovedKind } from '../../ports/installation-stores.js'
import type { Metrics } from '../../ports/metrics.js'
import type { ChainKeys, Cipher } from '../../ports/secrets.js'
import type { Clock, Timers } from '../../ports/time.js'
import { removeAuditRecords } from '../audit/remove-records.js'
import { removeOverdueConversations } from './erase.js'

/** How long each kind of old data is stored. */
export interface RetentionPeriods {
  readonly idempotencyHours: number
  readonly turnEventsHours: number
  readonly webhookDeliveriesDays: number
  readonly endedDays: number
  /** Null if the audit log is never removed. */
  readonly auditDays: number | null
  readonly usageDays: number
}

interface RetentionRule {
  readonly kind: RemovedKind
  /** Null if it is never removed. */
  readonly keptHours: (periods: RetentionPeriods) => number | null
  /**
   * The maximum number of rows that are removed in one transaction. The embedded database blocks other work
   * during a transaction.
   */
  readonly batchSize: number
}

const endedDays = ({ endedDays }: RetentionPeriods) => endedDays * 24

/**
 * The rules for removing old data. Conversations stay as long as their agent or organization configures. For them,
 * the rule only requests the removal. The audit log stays unless the operator has configured its retention. The row of a deleted conversation stays until
 * nothing refers to it, so it comes last.
 */
const retentionRules: readonly RetentionRule[] = [
  // Files are removed one at a time, because the contents of a large file consist of thousands of rows.
  { kind: 'expiredFiles', keptHours: () => 0, batchSize: 1 },
  { kind: 'unfinishedUploads', keptHours: () => 1, batchSize: 1 },
  { kind: 'idempotencyAnswers', keptHours: ({ idempotencyHours }) => idempotencyHours, batchSize: 500 },
  { kind: 'turnEvents', keptHours: ({ turnEventsHours }) => turnEventsHours, batchSize: 1000 },
  {
    kind: 'webhookDeliveries',
    keptHours: ({ webhookDeliveriesDays }) => webhookDeliveriesDays * 24,
    batchSize: 500,
  },
  { kind: 'surplusDeliveries', keptHours: () => 0, batchSize: 500 },
  { kind: 'overdueConversations', keptHours: () => 0, batchSize: 200 },
  { kind: 'unusedTickets', keptHours: endedDays, batchSize: 200 },
  { kind: 'endedSessions', keptHours: endedDays, batchSize: 200 },
  { kind: 'endedCalls', keptHours: endedDays, batchSize: 200 },
  { kind: 'endedTurns', keptHours: endedDays, batchSize: 200 },
  { kind: 'finishedApprovals', keptHours: endedDays, batchSize: 200 },
  { kind: 'deletedApiKeys', keptHours: endedDays, batchSize: 200 },
  { kind: 'endedPersonSessions', keptHours: () => 0, batchSize: 200 },
  { kind: 'closedInvitations', keptHours: endedDays, batchSize: 200 },
  { kind: 'usedOidcStates', keptHours: () => 0, batchSize: 200 },
  { kind: 'signInTries', keptHours: () => 0, batchSize: 500 },
  { kind: 'usageRecords', keptHours: ({ usageDays }) => usageDays * 24, batchSize: 1000 },
  // The counters of a month are needed until the month ends.
  { kind: 'usageCounters', keptHours: () => 62 * 24, batchSize: 500 },
  { kind: 'usageCounterParts', keptHours: () => 62 * 24, batchSize: 500 },
  { kind: 'usageParts', keptHours: () => 48, batchSize: 1000 },
  { kind: 'sessionCounts', keptHours: () => 0, batchSize: 500 },
  { kind: 'deletedConversations', keptHours: endedDays, batchSize: 200 },
  {
    kind: 'auditRecords',
    keptHours: ({ auditDays }) => (auditDays === null ? null : auditDays * 24),
    batchSize: 500,
  },
]

/** The time limit of one run. The next run continues. */
const runMilliseconds = 10_000

export interface RemoveOverdueDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly cipher: Cipher
  readonly chainKeys: ChainKeys
  readonly timers: Timers
  readonly metrics: Pick<Metrics, 'overdueRemoved'>
  readonly periods: RetentionPeriods
}

/**
 * Removes data that is older than its retention period, in small transactions that alternate between the
 * kinds. Does nothing if another instance is already removing data. Returns the number of removed rows.
 */
export async function removeOverdue(dependencies: RemoveOverdueDependencies): Promise<number> {
  const { timers, metrics } = dependencies
  const endsAt = timers.monotonic() + runMilliseconds
  let removed = 0
  let rules = retentionRules
  while (rules.length > 0 && timers.monotonic() < endsAt) {
    const unfinished: RetentionRule[] = []
    for (const rule of rules) {
      const count = await removeSome(dependencies, rule)
      if (count === null) return removed
      metrics.overdueRemoved(rule.kind, count)
      removed += count
      if (count >= rule.batchSize) unfinished.push(rule)
    }
    rules = unfinished
  }
  return removed
}

/** Returns null if another instance is removing data. */
async function removeSome(
  { database, periods, ...dependencies }: RemoveOverdueDependencies,
  { kind, keptHours, batchSize }: RetentionRule,
): Promise<number | null> {
  const hours = keptHours(periods)
  if (hours === null) return 0
  const moment = new Date(dependencies.clock.now().getTime() - hours * 60 * 60 * 1000).toISOString()
  return database.transaction(async (stores) => {
    if (!(await stores.retention.tryLock())) return null
    if (kind === 'usageParts') return stores.usageLedger.foldParts(moment, batchSize)
    if (kind === 'overdueConversations')
      return removeOverdueConversations(dependencies.clock, stores, { moment, limit: batchSize })
    return kind === 'auditRecords'
      ? removeAuditRecords(dependencies, stores, { moment, limit: batchSize })
      : stores.retention.removeBefore(kind, moment, batchSize)
  })
}
