/** `reported`: the provider says in its stream that it failed. */
export type StreamFailureReason = 'broken-off' | 'unreadable' | 'reported'

/** An answer that began well and did not end well. */
export class StreamFailure extends Error {
  readonly reason: StreamFailureReason

  constructor(reason: StreamFailureReason, message = '') {
    super(message)
    this.name = 'StreamFailure'
    this.reason = reason
  }

  /** What a stream's error part means: an error of the packages, or what the provider has sent as an error. */
  static of(error: unknown): StreamFailure {
    if (!(error instanceof Error)) return new StreamFailure('reported', messageIn(error))
    // That is how one of the packages says that there was no end.
    const isMissingEnd = 'data' in error && error.data === undefined
    return new StreamFailure(isMissingEnd ? 'broken-off' : 'unreadable')
  }
}

function messageIn(error: unknown): string {
  if (typeof error === 'string') return error
  const message =
    typeof error === 'object' && error !== null && 'message' in error ? error.message : undefined
  return typeof message === 'string' ? message : ''
}
