import type { OutboundFailure, OutboundFailureReason } from '../../ports/outbound.js'
import { codeOf, explainFailure } from './explain-failure.js'

export class OutboundError extends Error implements OutboundFailure {
  override readonly name = 'OutboundError'
  readonly reason: OutboundFailureReason
  readonly detail: string

  constructor(reason: OutboundFailureReason, detail: string, cause?: unknown) {
    super(detail, cause === undefined ? undefined : { cause })
    this.reason = reason
    this.detail = detail
  }
}

/**
 * Converts an error from a call to `host` into an OutboundError. The original error becomes its `cause`, for
 * the log.
 */
export function toOutboundError(error: unknown, host: string): OutboundError {
  if (error instanceof OutboundError) return error
  if (codeOf(error) === 'UND_ERR_INVALID_ARG' && error instanceof Error) {
    return new OutboundError('refused', `The request cannot be sent: ${error.message}.`, error)
  }
  return new OutboundError('connection-failed', explainFailure(error, host), error)
}
