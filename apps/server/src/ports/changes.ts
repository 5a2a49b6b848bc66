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

/**
 * What a signal is about. `tasks`: a run is planned; an organization: something of it was written; a turn: an event of it
 * was stored.
 */
export type SignalTopic = 'tasks' | `organization ${string}` | `turn ${string}`

/**
 * Which work of an instance a change can concern: sessions that are to end, turns that are to start or stop, calls that
 * are decided on.
 */
export type ChangeKind = 'sessions' | 'turns' | 'approvals'

/** A kind of change in one organization. */
export type SignalledChange = `${ChangeKind} ${string}`

/**
 * Carries between instances that something has changed, and never what: the rows say that. Signals may be lost, so every
 * listener also polls; signals only make the next poll come sooner.
 */
export interface ChangeSignals {
  /** Signals to the other instances that something was changed here. Costs nothing while the way to them is broken. */
  publish(topic: SignalTopic): void
  /**
   * Calls `listener` when another instance has signalled, and when signals may have been missed, as before the
   * subscription stood. Returns how to stop.
   */
  subscribe(topic: SignalTopic, listener: () => void): () => void
  /** Signals a change to the other instances. Changes that come close together leave as one message. */
  publishChange(change: SignalledChange): void
  /** Calls `listener` with the changes of other instances; null if any may have happened. */
  onChanges(listener: (changes: ReadonlySet<SignalledChange> | null) => void): void
  /** Ends the subscriptions. */
  close(): Promise<void>
}

/** For an instance that has no way to the others, or no others. */
export const noChangeSignals: ChangeSignals = {
  publish: () => undefined,
  subscribe: () => () => undefined,
  publishChange: () => undefined,
  onChanges: () => undefined,
  close: async () => undefined,
}
