/** The wrong passwords and codes that one counter has seen: of an address, of a known browser, or of a session. */
export interface SignInTriesRecord {
  /** SHA-256 of what is counted, in hex. */
  readonly key: string
  /** The person of a browser or session; null for the counter of an address. */
  readonly personId: string | null
  /** Wrong passwords since the last sign-in, the last lock, or 15 minutes without a wrong one. */
  readonly failures: number
  /** Wrong codes with the right password since the last sign-in. */
  readonly wrongCodes: number
  readonly lockedUntil: string | null
  readonly expiresAt: string
}

/** Counters of wrong tries to sign in. An address without an account has one too, so that both cost the same. */
export interface SignInTriesStore {
  /** Adds the counter unless there is one, and returns the stored one, locked until the transaction ends. */
  lock(fresh: SignInTriesRecord): Promise<SignInTriesRecord>
  /** Writes a counter over the stored one, which the caller has locked. */
  update(tries: SignInTriesRecord): Promise<void>
  remove(key: string): Promise<void>
  /** Removes the counter of this key and all counters of these people; returns them. */
  removeAll(key: string, personIds: readonly string[]): Promise<readonly SignInTriesRecord[]>
}
