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
