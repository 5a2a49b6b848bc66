import { type ProtocolError, rateLimited, serverError } from '../protocol/protocol-error.js'
import type { Failure } from '../runtime/outcome.js'

/** Converts a failure of speech synthesis or recognition to a protocol error. */
export function speechFailure(failure: Failure): ProtocolError {
  if (failure.kind === 'overloaded')
    return rateLimited('The speech queue of the engine is full. Try again in a moment.')
  return serverError(failure.kind === 'unavailable' ? 'speech_unavailable' : 'speech_failed', failure.message)
}
