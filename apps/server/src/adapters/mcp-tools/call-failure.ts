import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client'
import type { Outbound, OutboundFailure } from '../../ports/outbound.js'
import { isLostResponse } from './lost-response.js'

/**
 * Why a request has no result. `not-taken`: the server did not accept it, so it may be sent over a
 * new connection. `unknown`: the server may have executed it. `answered`: the server returned an error.
 */
export interface CallFailure {
  readonly kind: 'not-taken' | 'unknown' | 'answered'
  readonly detail: string
  /** The server requires authentication. */
  readonly isUnauthorized?: true
}

/** Returns whether a request, or the handshake before it, failed with status 401. */
export function isUnauthorized(error: unknown): boolean {
  return error instanceof SdkHttpError && error.status === 401
}

/** The request was not sent, because there is no process to read it. */
export class NotSentError extends Error {
  override readonly name = 'NotSentError'
}

/**
 * Failures before a connection is established. After any other failure, the server may have read the request.
 */
const connectCodes = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']

/**
 * The status that the protocol defines for an unknown session, and the status that many servers send instead.
 */
const unknownSessionStatuses = [404, 400]

const maxDetailLength = 2000

export interface FailedCall {
  readonly isConnectionOpen: boolean
  readonly hasSession: boolean
}

export function judgeFailure(error: unknown, call: FailedCall, outbound: Outbound): CallFailure {
  if (error instanceof NotSentError) return { kind: 'not-taken', detail: error.message }
  const failure = outboundFailureIn(error, outbound)
  if (failure !== null) return { kind: judgeOutbound(failure), detail: failure.detail }
  if (error instanceof SdkHttpError) return judgeStatus(error, call)
  if (error instanceof SdkError && error.code === SdkErrorCode.UnsupportedResultType)
    return { kind: 'answered', detail: 'The MCP server asks for input that an agent cannot give.' }
  if (error instanceof ProtocolError && isLostResponse(error))
    return { kind: 'unknown', detail: error.data.lost }
  if (!call.isConnectionOpen) return { kind: 'unknown', detail: 'The connection to the MCP server was lost.' }
  if (error instanceof ProtocolError)
    return { kind: 'answered', detail: error.message.slice(0, maxDetailLength) }
  return { kind: 'unknown', detail: "The MCP server's response violated the protocol." }
}

/** The library wraps a failure of a connection's first request. */
function outboundFailureIn(error: unknown, outbound: Outbound): OutboundFailure | null {
  if (outbound.isFailure(error)) return error
  return error instanceof SdkError && outbound.isFailure(error.cause) ? error.cause : null
}

function judgeStatus(error: SdkHttpError, { hasSession }: FailedCall): CallFailure {
  const isUnknownSession = hasSession && unknownSessionStatuses.includes(error.status)
  return {
    kind: isUnknownSession ? 'not-taken' : 'answered',
    detail: explainStatus(error),
    ...(isUnauthorized(error) && { isUnauthorized: true as const }),
  }
}

function judgeOutbound(failure: OutboundFailure): CallFailure['kind'] {
  if (failure.reason === 'refused') return 'answered'
  return connectCodes.includes(codeOf(failure.cause) ?? '') ? 'not-taken' : 'unknown'
}

function explainStatus({ status, data, message }: SdkHttpError): string {
  const text = typeof data.text === 'string' ? data.text : message
  return `HTTP ${status}: ${text.slice(0, maxDetailLength)}`
}

/** Returns the code of a system error. Errors of the library have their own codes. */
export function codeOf(error: unknown): string | null {
  if (error instanceof SdkError) return null
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
}
