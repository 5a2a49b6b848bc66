/** Encrypts stored secrets. */
export interface Cipher {
  /**
   * Encrypts `secret`. `context` identifies the storage location. The result can be opened only with the same
   * context.
   */
  seal(secret: string, context: string): string
  /**
   * Decrypts a text that was sealed with this context. Throws if the key, the context or the text do not
   * match.
   */
  open(sealed: string, context: string): string
  /** Returns whether the text was sealed with the current secret, and not with a previous one. */
  isCurrent(sealed: string, context: string): boolean
}

/** Stores the secret that seals stored secrets. */
export interface SecretKeeper {
  /**
   * Returns the secret that Parley generated, which a backup must contain. Returns null if the operator set
   * PARLEY_SECRET.
   */
  generated(): Promise<string | null>
  /**
   * Makes the next secret the current one. The previous one can still open stored secrets. An interrupted
   * rotation continues with the same secret. Returns a reason if there is no next secret.
   */
  beginRotation(): Promise<{ readonly ok: true } | { readonly ok: false; readonly reason: string }>
  /** Removes the previous secret. Must be called only when nothing is sealed with it any more. */
  finishRotation(): Promise<void>
}

/** A key that seals audit chains. Its id reveals nothing about its bytes. */
export interface ChainKey {
  readonly id: string
  readonly bytes: Uint8Array
}

/** The keys of audit chains, derived from the operator's secrets. They are never stored in the database. */
export interface ChainKeys {
  /** Returns the key for new seals. */
  current(): ChainKey
  /** Returns the keys of all secrets in use. There are two during a rotation. */
  inUse(): readonly ChainKey[]
}

/** The result of slow work. Not ok if the queue was full, so that the work was not started. */
export type SlowOutcome<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false }

/** Hashes and verifies passwords. Slow by design, so it must not be called inside a transaction. */
export interface Passwords {
  /**
   * Returns the hash of a password with its parameters. Requests are queued per `asker`, and askers are
   * served round-robin. With the salt of `sibling`, a single computation compares a password with both
   * hashes.
   */
  hash(asker: string, password: string, sibling?: string | null): Promise<SlowOutcome<string>>
  /**
   * Returns the first hash that matches the password, or null if none does. Computes one hash per salt, and
   * one hash if `hashes` is empty, so that an unknown address takes as long as a known one.
   */
  verify(asker: string, hashes: readonly string[], password: string): Promise<SlowOutcome<string | null>>
}

/** Authenticator codes (TOTP): six digits that change every 30 seconds. */
export interface OneTimeCodes {
  /** Returns a new secret in base32. */
  newSecret(): string
  /** Returns the URI for an authenticator's QR code. */
  uriOf(secret: string, account: string): string
  /** Returns the time step of `now`. */
  stepAt(now: Date): number
  /** Returns the time step of a code, or null if the code is not valid around `now`. */
  stepOf(secret: string, code: string, now: Date): number | null
}
