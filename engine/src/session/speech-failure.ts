import { type ProtocolError, rateLimited, serverError } from '../protocol/protocol-error.js'
import type { Outcome } from '../workers/outcome.js'

/** Speech that could not be made or understood, in the protocol's words. */
export function speechFailure(result: Exclude<Outcome<unknown>, { outcome: 'done' }>): ProtocolError {
  if (result.outcome === 'overloaded')
    return rateLimited('The engine has more speech to work on than it can hold. Try again in a moment.')
  return serverError(
    result.outcome === 'unavailable' ? 'speech_unavailable' : 'speech_failed',
    result.message,
  )
}
