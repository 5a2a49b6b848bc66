/** Time that passes: measured without jumps, and waited for. Tests let it pass by hand. */
export interface Timers {
  /** Milliseconds since some moment; it never goes back. */
  monotonic(): number
  /** Calls `action` once after that many milliseconds; the answer calls it off. */
  after(milliseconds: number, action: () => void): () => void
}
