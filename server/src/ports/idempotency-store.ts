export interface KeptAnswer {
  readonly status: number
  readonly body: unknown
  readonly etag: string | null
}

export interface IdempotencyClaim {
  readonly organizationId: string
  readonly key: string
  /** Tells one request from another that came under the same key. */
  readonly fingerprint: string
  readonly createdAt: string
}

export interface KeptRequest {
  readonly fingerprint: string
  readonly answer: KeptAnswer | null
}

/** First answers to requests that carried an Idempotency-Key. */
export interface IdempotencyStore {
  /** Takes the key for this transaction; false where it is taken. Waits for a concurrent holder to end. */
  claim(claim: IdempotencyClaim, expiredBefore: string): Promise<boolean>
  /** Keeps the answer under the claimed key. */
  keep(organizationId: string, key: string, answer: KeptAnswer): Promise<void>
  /** What was kept under the key. */
  find(organizationId: string, key: string): Promise<KeptRequest | null>
  /** The key may be used again: what it was used for came to nothing. */
  forget(organizationId: string, key: string): Promise<void>
  /** Forgets what is older than this; answers how many. */
  forgetBefore(moment: string): Promise<number>
}
