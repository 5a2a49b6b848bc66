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
