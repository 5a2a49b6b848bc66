/** Keeps secrets unreadable at rest. */
export interface Cipher {
  /** Encrypts `secret` so that it opens only under the same `context`, the place where it is stored. */
  seal(secret: string, context: string): string
  /** Gives back what was sealed under this context; throws where key, context or text differ. */
  open(sealed: string, context: string): string
  /** Whether it was sealed with the secret that seals now, and not with one that only opens still. */
  isCurrent(sealed: string, context: string): boolean
}

/** Where the secret that stored secrets are sealed with is kept. */
export interface SecretKeeper {
  /** The secret that Parley made for itself, which a backup needs; null where it is the operator's, in PARLEY_SECRET. */
  generated(): Promise<string | null>
  /**
   * Makes the next secret the one that seals; the one before goes on opening. A rotation that was broken off goes on
   * with the secret it had begun with. Says why where there is no next one.
   */
  beginRotation(): Promise<{ readonly ok: true } | { readonly ok: false; readonly reason: string }>
  /** Nothing is sealed with the one before any more: it can be forgotten. */
  finishRotation(): Promise<void>
}

/** A key that audit chains are sealed with; its id names it and tells nothing of it. */
export interface ChainKey {
  readonly id: string
  readonly bytes: Uint8Array
}

/** The keys of audit chains, derived from the operator's secrets: the database never has them. */
export interface ChainKeys {
  /** The key that seals now. */
  current(): ChainKey
  /** Those of all secrets in use: two while one is being replaced. */
  inUse(): readonly ChainKey[]
}

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

/** The codes of authenticators: six digits that change every 30 seconds. */
export interface OneTimeCodes {
  /** A new secret, in base32. */
  newSecret(): string
  /** The address that authenticators read from a QR code. */
  uriOf(secret: string, account: string): string
  /** The step of this moment. */
  stepAt(now: Date): number
  /** The step that a code is of, where it is one of about now; null where it is none. */
  stepOf(secret: string, code: string, now: Date): number | null
}
