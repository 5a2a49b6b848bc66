/** What came of a slow piece of work; not ok where so many wait for theirs that this one was not begun. */
export type SlowOutcome<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false }

/** Turns passwords into what may be stored, and compares. It takes long on purpose: never inside a transaction. */
export interface Passwords {
  /**
   * Returns what is stored of a password, its parameters included. Askers take turns, however much each of them asks for.
   * With the salt of `sibling` one computation compares a password with both hashes.
   */
  hash(asker: string, password: string, sibling?: string | null): Promise<SlowOutcome<string>>
  /**
   * Returns the first of the hashes that are of this password, or null. It computes one hash for each salt, and also one if
   * there is no hash to compare with, so an unknown address takes as long as a known one.
   */
  verify(asker: string, hashes: readonly string[], password: string): Promise<SlowOutcome<string | null>>
}
