/** The system clock. Tests set it manually. */
export interface Clock {
  now(): Date
}

/** The result of work with a time limit. Not ok if the time limit was reached first. */
export type InTime<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false }

/** Measures elapsed time and waits. Tests advance it manually. */
export interface Timers {
  /** Milliseconds since an arbitrary moment. Never goes backwards. */
  monotonic(): number
  /** Calls `action` once after the delay. Returns a function that cancels it. */
  after(milliseconds: number, action: () => void): () => void
  /** Resolves after the delay. */
  sleep(milliseconds: number): Promise<void>
  /** Waits for the work, up to the limit. Late work continues, but its result is ignored. */
  within<Value>(milliseconds: number, work: Promise<Value>): Promise<InTime<Value>>
}
