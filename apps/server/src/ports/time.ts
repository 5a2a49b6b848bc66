/** The time. Tests move it by hand. */
export interface Clock {
  /** The present moment. */
  now(): Date
}

/** Work that had a time limit: what it came to, or that the time was over first. */
export type InTime<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false }

/** Time that passes: measured without jumps, and waited for. Tests let it pass by hand. */
export interface Timers {
  /** Milliseconds since some moment; it never goes back. */
  monotonic(): number
  /** Calls `action` once after that many milliseconds. Returns how to cancel. */
  after(milliseconds: number, action: () => void): () => void
  /** Settles after that many milliseconds. */
  sleep(milliseconds: number): Promise<void>
  /** Waits for the work, but no longer than that; work that is late goes on, and nobody waits for it. */
  within<Value>(milliseconds: number, work: Promise<Value>): Promise<InTime<Value>>
}
