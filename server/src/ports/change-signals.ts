/**
 * What a signal is about. `changes`: a decision, an end that was asked for, a turn that is over; `tasks`: a run is planned;
 * an organization: something of it was written; a turn: an event of it was stored.
 */
export type SignalTopic = 'changes' | 'tasks' | `organization ${string}` | `turn ${string}`

/**
 * Carries between instances that something has changed, and never what: the rows say that. Signals may be lost, so
 * whoever listens also polls; they only make the next poll come sooner.
 */
export interface ChangeSignals {
  /** Signals to the other instances that something was changed here. Costs nothing while the way to them is broken. */
  publish(topic: SignalTopic): void
  /**
   * Calls `listener` when another instance has signalled, and when signals may have been missed, as before the
   * subscription stood. Returns how to stop.
   */
  subscribe(topic: SignalTopic, listener: () => void): () => void
  /** Ends the subscriptions. */
  close(): Promise<void>
}

/** For an instance that has no way to the others, or no others. */
export const noChangeSignals: ChangeSignals = {
  publish: () => undefined,
  subscribe: () => () => undefined,
  close: async () => undefined,
}
