export interface IdempotencyClaim {
  readonly organizationId: string
  readonly key: string
  /** Tells one request from another that came under the same key. */
  readonly fingerprint: string
  readonly createdAt: string
}

export interface KeptRequest {
  readonly fingerprint: string
  /** What was kept, as JSON: whoever kept it knows its shape. Null while the first request is not finished. */
  readonly answer: unknown
}

/** First answers to requests that carried an Idempotency-Key. */
export interface IdempotencyStore {
  /** Takes the key for this transaction; false where it is taken. Waits for a concurrent holder to end. */
  claim(claim: IdempotencyClaim, expiredBefore: string): Promise<boolean>
  /** Keeps the answer, whatever JSON it is, under the claimed key. */
  keep(organizationId: string, key: string, answer: unknown): Promise<void>
  /** What was kept under the key. */
  find(organizationId: string, key: string): Promise<KeptRequest | null>
  /** The key may be used again: what it was used for came to nothing. */
  forget(organizationId: string, key: string): Promise<void>
}
