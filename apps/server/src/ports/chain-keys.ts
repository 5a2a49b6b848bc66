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
