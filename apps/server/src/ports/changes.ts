import type { ConversationEndUser } from './conversation-stores.js'

/**
 * A position in the database's transaction history, which is independent of clocks. Transaction numbers only
 * increase during the lifetime of a database.
 */
export interface ChangeCursor {
  /** The database's time at this position, in microseconds since 1970. */
  readonly microseconds: number
  /** The number of the first transaction that had not started. */
  readonly nextTransaction: number
  /** The numbers of earlier transactions that had not ended. */
  readonly openTransactions: readonly number[]
}

/** A row with its own change time. Used for resources that change without an audit record. */
export interface ChangedRow {
  readonly kind: 'row'
  readonly resource: 'Conversation' | 'Message' | 'Turn' | 'RealtimeSession' | 'Approval' | 'PhoneCall'
  readonly id: string
  readonly conversationId: string | null
  readonly endUser: ConversationEndUser | null
  /** Whether the row was created after the cursor, according to the clock of the instance that created it. */
  readonly isNew: boolean
  readonly at: string
}

/**
 * An audit record. It represents all other changes, including deletions. It appears a second time when it is
 * sealed.
 */
export interface ChangeRecord {
  readonly kind: 'record'
  readonly id: string
  readonly action: string
  readonly outcome: 'success' | 'refused'
  readonly resourceType: string | null
  readonly resourceId: string | null
  /** The invitation that created the member. */
  readonly invitationId: string | null
  /** The membership of the person that the record is about. */
  readonly memberId: string | null
  /** The end user that the record's details name, or null. */
  readonly endUser: ConversationEndUser | null
  readonly at: string
}

/**
 * Continuous activity that is reported as a whole: deliveries of a webhook, or the usage of the organization.
 * There is one entry per resource, regardless of the number of rows.
 */
export interface Activity {
  readonly kind: 'activity'
  readonly resource: 'Webhook' | 'Usage'
  /** The id of the webhook or of the organization. */
  readonly id: string
  readonly at: string
}

export type FoundChange = ChangedRow | ChangeRecord | Activity

export interface FoundChanges {
  /** The cursor for the next poll. */
  readonly cursor: ChangeCursor
  /** Contains `limit` changes if there may be more. */
  readonly changes: readonly FoundChange[]
}

/**
 * Finds the changes of an organization in the rows themselves, so that nothing is written for subscribers.
 */
export interface ChangeStore {
  present(): Promise<ChangeCursor>
  /** Returns up to `limit` changes committed after the cursor. Executes one statement. */
  after(organizationId: string, cursor: ChangeCursor, limit: number): Promise<FoundChanges>
}

/**
 * The subject of a signal. `tasks`: a run was planned. `organization`: some of its data was written. `turn`:
 * an event of the turn was stored.
 */
export type SignalTopic = 'tasks' | `organization ${string}` | `turn ${string}`

/**
 * The kinds of work that a change may affect: sessions to end, turns to start or stop, and tool calls that were decided
 * on. Also telephone calls to dial or end, and SIP lines to open or close.
 */
export type ChangeKind = 'sessions' | 'turns' | 'approvals' | 'calls' | 'lines'

/** A kind of change in one organization. */
export type SignalledChange = `${ChangeKind} ${string}`

/**
 * Signals between instances that something changed, without the content. Listeners read the rows. Signals may
 * be lost, so every listener also polls. A signal only triggers the next poll earlier.
 */
export interface ChangeSignals {
  /** Sends a signal to the other instances. Returns immediately if the connection to them is down. */
  publish(topic: SignalTopic): void
  /**
   * Calls `listener` when another instance sends a signal, and when signals may have been missed, for
   * example before the subscription was active. Returns a function that unsubscribes.
   */
  subscribe(topic: SignalTopic, listener: () => void): () => void
  /** Sends a change to the other instances. Changes in quick succession are sent as one message. */
  publishChange(change: SignalledChange): void
  /** Calls `listener` with the changes of other instances, or with null if changes may have been missed. */
  onChanges(listener: (changes: ReadonlySet<SignalledChange> | null) => void): void
  close(): Promise<void>
}

/** For an instance that has no connection to other instances. */
export const noChangeSignals: ChangeSignals = {
  publish: () => undefined,
  subscribe: () => () => undefined,
  publishChange: () => undefined,
  onChanges: () => undefined,
  close: async () => undefined,
}
