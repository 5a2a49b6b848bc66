import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { McpError } from '@modelcontextprotocol/sdk/types.js'
import type { Outbound, OutboundFailure } from '../../ports/outbound.js'
import { isLostResponse } from './lost-response.js'

/**
 * Why a request brought no result: it was not taken on, so that it may be sent over a new connection; the server may
 * have acted on it or not; or it said no.
 */
export interface CallFailure {
  readonly kind: 'not-taken' | 'unknown' | 'answered'
  readonly detail: string
  /** The server wants to know who calls. */
  readonly isUnauthorized?: true
}

/** Of a request, or of the greeting before it. */
export function isUnauthorized(error: unknown): boolean {
  return error instanceof StreamableHTTPError && error.code === 401
}

/** The request did not leave: there is nobody to read it. */
export class NotSentError extends Error {
  override readonly name = 'NotSentError'
}

/** Failures before a connection stands; every other one may come after the server has read the request. */
const connectCodes = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']

/** What the protocol says of a session that the server does not know, and what many servers say instead. */
const unknownSessionStatuses = [404, 400]

const maxDetailLength = 2000

export interface FailedCall {
  readonly isConnectionOpen: boolean
  readonly hasSession: boolean
}

export function judgeFailure(error: unknown, call: FailedCall, outbound: Outbound): CallFailure {
  if (error instanceof NotSentError) return { kind: 'not-taken', detail: error.message }
  if (outbound.isFailure(error)) return { kind: judgeOutbound(error), detail: error.detail }
  if (error instanceof StreamableHTTPError) {
    const isUnknownSession = call.hasSession && unknownSessionStatuses.includes(error.code ?? 0)
    return {
      kind: isUnknownSession ? 'not-taken' : 'answered',
      detail: explainStatus(error),
      ...(isUnauthorized(error) && { isUnauthorized: true as const }),
    }
  }
  if (error instanceof McpError && isLostResponse(error)) return { kind: 'unknown', detail: error.data.lost }
  if (!call.isConnectionOpen) return { kind: 'unknown', detail: 'The connection to the MCP server was lost.' }
  if (error instanceof McpError) return { kind: 'answered', detail: error.message.slice(0, maxDetailLength) }
  return { kind: 'unknown', detail: 'The MCP server did not answer as the protocol says.' }
}

function judgeOutbound(failure: OutboundFailure): CallFailure['kind'] {
  if (failure.reason === 'refused') return 'answered'
  return connectCodes.includes(codeOf(failure.cause) ?? '') ? 'not-taken' : 'unknown'
}

function explainStatus(error: StreamableHTTPError): string {
  if (error.code === undefined || error.code < 100) return error.message.slice(0, maxDetailLength)
  const text = error.message.replace(/^Streamable HTTP error: (?:Error POSTing to endpoint: )?/, '')
  return `HTTP ${error.code}: ${text.slice(0, maxDetailLength)}`
}

export function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
}
