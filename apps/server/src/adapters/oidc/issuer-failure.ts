import type * as OpenidClient from 'openid-client'
import type { IssuerFailure } from '../../ports/oauth.js'

/**
 * The library's codes for responses that arrived but are invalid. In these cases, the identity provider is
 * available.
 */
const invalidCodes: readonly string[] = [
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_MISSING_SERVER_METADATA',
  'OAUTH_UNSUPPORTED_OPERATION',
]

const maxCharacters = 500

/**
 * Classifies a failed call by the library's error. The text from the identity provider is truncated and only
 * written to the log.
 */
export function describeIssuerFailure(library: typeof OpenidClient, error: unknown): IssuerFailure {
  const failure = (reason: IssuerFailure['reason'], detail: string): IssuerFailure => ({
    ok: false,
    reason,
    detail: detail.slice(0, maxCharacters),
  })
  if (error instanceof library.AuthorizationResponseError)
    return failure('refused', `${error.error} ${error.error_description ?? ''}`.trim())
  // The identity provider rejected the code or this client.
  if (error instanceof library.ResponseBodyError)
    return failure(error.status < 500 ? 'refused' : 'unavailable', `${error.status} ${error.error}`)
  if (!(error instanceof Error)) return failure('unavailable', String(error))
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null
  const reason = code !== null && invalidCodes.includes(code) ? 'invalid' : 'unavailable'
  return failure(reason, messagesOf(error).join(': '))
}

/** The library stores the actual error as the cause. */
function messagesOf(error: Error): readonly string[] {
  return error.cause instanceof Error ? [error.message, ...messagesOf(error.cause)] : [error.message]
}
