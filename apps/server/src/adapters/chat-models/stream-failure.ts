/** `reported`: the provider reports the failure in its stream. */
export type StreamFailureReason = 'broken-off' | 'unreadable' | 'reported'

/** A failure after the answer has started successfully, but before it is complete. */
export class StreamFailure extends Error {
  readonly reason: StreamFailureReason

  constructor(reason: StreamFailureReason, message = '') {
    super(message)
    this.name = 'StreamFailure'
    this.reason = reason
  }

  /**
   * Interprets the error part of a stream, which is either an error of the packages or one that the provider
   * sent.
   */
  static of(error: unknown): StreamFailure {
    if (!(error instanceof Error)) return new StreamFailure('reported', messageIn(error))
    // One of the packages reports a missing end this way.
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
