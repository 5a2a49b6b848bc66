import { systemTimers } from '#server/adapters/system/timers.js'
import { type RetentionPeriods, removeOverdue } from '#server/domain/retention/remove-overdue.js'
import type { Database } from '#server/ports/database.js'
import type { RemovedKind } from '#server/ports/installation-stores.js'
import type { Clock } from '#server/ports/time.js'
import { chainSecrets } from './audit/chain-secrets.js'
import { defaults } from './config/environments.js'

/** Does the cleanup that the service runs every minute. Returns the number of deleted rows of each kind. */
export async function removeOverdueRows(
  database: Database,
  clock: Clock,
  periods: RetentionPeriods = defaults.retention,
): Promise<Record<RemovedKind, number>> {
  const removed: Record<RemovedKind, number> = {
    expiredFiles: 0,
    unfinishedUploads: 0,
    turnEvents: 0,
    idempotencyAnswers: 0,
    webhookDeliveries: 0,
    surplusDeliveries: 0,
    unusedTickets: 0,
    endedSessions: 0,
    endedCalls: 0,
    endedTurns: 0,
    finishedApprovals: 0,
    deletedConversations: 0,
    overdueConversations: 0,
    deletedApiKeys: 0,
    endedPersonSessions: 0,
    closedInvitations: 0,
    usedOidcStates: 0,
    signInTries: 0,
    auditRecords: 0,
    usageRecords: 0,
    usageCounters: 0,
    usageCounterParts: 0,
    usageParts: 0,
    sessionCounts: 0,
  }
  const overdueRemoved = (kind: RemovedKind, count: number) => {
    removed[kind] += count
  }
  await removeOverdue({
    ...{ database, clock, periods, timers: systemTimers, metrics: { overdueRemoved } },
    ...chainSecrets,
  })
  return removed
}
