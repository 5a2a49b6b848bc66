/** What can be said of any call, besides its arguments. */
export interface RequestOptions {
  /** Cancels the call, its retries and its stream; the promise is rejected with the signal's reason. */
  signal?: AbortSignal | undefined
  /** How long one attempt may take. A stream's time ends when its answer begins. */
  timeoutMilliseconds?: number | undefined
  /** How often a failed attempt is repeated, where that is safe. */
  maxRetries?: number | undefined
  /** Headers on top of those that every call has. */
  headers?: Readonly<Record<string, string>> | undefined
}

export interface CreateOptions extends RequestOptions {
  /** Made for you where left out, so that retries create nothing twice. Your own also survives your process. */
  idempotencyKey?: string | undefined
}

export interface ChangeOptions extends RequestOptions {
  /** The ETag that was read: a newer version is refused with 412. */
  ifMatch?: string | undefined
}

export interface FollowOptions extends RequestOptions {
  /** The id of the last event that was received; left out, the events come from the first one. */
  lastEventId?: string | undefined
}

export interface DryRunOptions {
  /**
   * Answers what would be, or why it is refused, and changes nothing. Of a change `withResponse()` has the header
   * `Parley-Changed`: the names of the fields that would change.
   */
  dryRun?: boolean | undefined
}

/** Every option of every kind of call. */
export type AllOptions = CreateOptions & ChangeOptions & FollowOptions & DryRunOptions
