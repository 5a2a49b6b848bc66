/** Options of every call. */
export interface RequestOptions {
  /** Cancels the call, its retries and its stream. The promise rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /** The time limit of one attempt. For a stream: until its response begins. */
  timeoutMilliseconds?: number | undefined
  /** The maximum number of retries of a failed attempt, if a retry is safe. */
  maxRetries?: number | undefined
  /** Headers in addition to those of every call. */
  headers?: Readonly<Record<string, string>> | undefined
}

export interface CreateOptions extends RequestOptions {
  /** Default: a new key, so that retries create nothing twice. Your own key also works across restarts. */
  idempotencyKey?: string | undefined
}

export interface ChangeOptions extends RequestOptions {
  /** The ETag that was read. If the resource has changed since, the call fails with 412. */
  ifMatch?: string | undefined
}

export interface FollowOptions extends RequestOptions {
  /** The id of the last received event. If omitted, all events are sent. */
  lastEventId?: string | undefined
}

export interface DryRunOptions {
  /**
   * Returns the result or the error of the call, but changes nothing. `withResponse()` has the header `Parley-Changed` with
   * the names of the changed fields.
   */
  dryRun?: boolean | undefined
}

/** Every option of every kind of call. */
export type AllOptions = CreateOptions & ChangeOptions & FollowOptions & DryRunOptions
