import type { OutboundFailure, OutboundFailureReason } from '../../ports/outbound.js'

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

/** Gives any error on the way to `host` a reason; what undici and Node say stays in `cause`, for the log. */
export function toOutboundError(error: unknown, host: string): OutboundError {
  if (error instanceof OutboundError) return error
  const code = codeOf(error)
  if (code === 'UND_ERR_INVALID_ARG' && error instanceof Error) {
    return new OutboundError('refused', `The request cannot be sent: ${error.message}.`, error)
  }
  const suffix = code === null ? '' : ` (${code})`
  return new OutboundError('connection-failed', `The host ${host} did not answer properly${suffix}.`, error)
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
}
