/**
 * Carries between instances that something has changed, and never what: the rows say that. Signals may be lost, so
 * whoever listens also polls; they only make the next poll come sooner.
 */
export interface ChangeSignals {
  /** Signals to the other instances that something was changed here. Costs nothing while the way to them is broken. */
  publish(): void
  /** Calls `listener` when another instance has signalled, and when signals may have been missed. */
  onSignal(listener: () => void): void
  /** Ends the subscription. */
  close(): Promise<void>
}

/** For an instance that has no way to the others, or no others. */
export const noChangeSignals: ChangeSignals = {
  publish: () => undefined,
  onSignal: () => undefined,
  close: async () => undefined,
}
