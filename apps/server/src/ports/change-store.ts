/**
 * A place between the transactions of the database: by it everybody knows which of them were over, whatever clocks say.
 * Numbers of transactions count up for as long as the database lives.
 */
export interface ChangeCursor {
  /** The database's time at that place, since 1970. */
  readonly microseconds: number
  /** The first transaction that had not begun. */
  readonly nextTransaction: number
  /** Earlier ones that were not over. */
  readonly openTransactions: readonly number[]
}

/** A row that says by itself when it changed: of what goes on without an audit record for each step. */
export interface ChangedRow {
  readonly kind: 'row'
  readonly resource: 'Conversation' | 'Message' | 'Turn' | 'RealtimeSession' | 'Approval'
  readonly id: string
  /** The conversation it belongs to. */
  readonly conversationId: string | null
  /** Whether it was made after the cursor, by the clock of whoever made it. */
  readonly isNew: boolean
  readonly at: string
}

/** An audit record: of whatever else changes, deletions included. It comes again when it is sealed. */
export interface ChangeRecord {
  readonly kind: 'record'
  readonly id: string
  readonly action: string
  readonly outcome: 'success' | 'refused'
  readonly resourceType: string | null
  readonly resourceId: string | null
  /** The invitation that made the member it tells of. */
  readonly invitationId: string | null
  /** The member whose person it tells of. */
  readonly memberId: string | null
  readonly at: string
}

/**
 * That something goes on without a pause, and says so as a whole: a webhook's deliveries, the organization's usage. It is one
 * for each, however many rows there are.
 */
export interface Activity {
  readonly kind: 'activity'
  readonly resource: 'Webhook' | 'Usage'
  /** The webhook, or the organization. */
  readonly id: string
  readonly at: string
}

export type FoundChange = ChangedRow | ChangeRecord | Activity

export interface FoundChanges {
  /** Where the next look begins. */
  readonly cursor: ChangeCursor
  /** As many as were wanted where there may be more. */
  readonly changes: readonly FoundChange[]
}

/** What has changed in an organization, as the rows tell it: nothing is written for those who want to know. */
export interface ChangeStore {
  /** The place between the transactions at this moment. */
  present(): Promise<ChangeCursor>
  /** What was committed after that place, at most `limit`, as one statement. */
  after(organizationId: string, cursor: ChangeCursor, limit: number): Promise<FoundChanges>
}
