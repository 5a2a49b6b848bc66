/** What came of a slow piece of work; not ok where so many wait for theirs that this one was not begun. */
export type SlowOutcome<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false }

/** Turns passwords into what may be stored, and compares. It takes long on purpose: never inside a transaction. */
export interface Passwords {
  /** What is stored of a password, its parameters included. Askers take turns, however much each of them asks for. */
  hash(asker: string, password: string): Promise<SlowOutcome<string>>
  /** Whether this is the password; with null, of nobody, it takes as long and is false. */
  verify(asker: string, hash: string | null, password: string): Promise<SlowOutcome<boolean>>
}
