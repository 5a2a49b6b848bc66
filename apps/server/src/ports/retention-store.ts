/** What piles up if nobody removes it. */
export type OverdueKind =
  | 'expiredFiles'
  | 'unfinishedUploads'
  | 'turnEvents'
  | 'idempotencyAnswers'
  | 'webhookDeliveries'
  | 'surplusDeliveries'
  | 'unusedTickets'
  | 'endedSessions'
  | 'endedTurns'
  | 'finishedApprovals'
  | 'deletedConversations'
  | 'deletedApiKeys'
  | 'endedPersonSessions'
  | 'closedInvitations'
  | 'usedOidcStates'
  | 'signInTries'
  | 'usageRecords'
  | 'usageCounters'
  | 'usageCounterParts'
  | 'sessionCounts'

/** The kinds of rows that retention removes; `usageParts` are added to the sums of their days. */
export type RemovedKind = OverdueKind | 'auditRecords' | 'usageParts'

/** Removes what is over. Everything that others hold at the moment is left for another time. */
export interface RetentionStore {
  /** Whether this transaction is the only one of all instances that removes anything now; it stays so until its end. */
  tryLock(): Promise<boolean>
  /** Removes at most that many of what was over before the moment, what is named first before the rest; returns how many. */
  removeBefore(kind: OverdueKind, moment: string, limit: number): Promise<number>
}
