import type { OutboundFailureReason } from '../../ports/outbound.js'
import { outboundFailureIn } from './describe-failure.js'
import type { Observation } from './observed-fetch.js'

const maxTries = 3

/**
 * Returns the delay before the next attempt, or null if another attempt would not help. Must only be called
 * for attempts that received no part of an answer.
 */
export function retryDelayMilliseconds(
  seen: Observation,
  error: unknown,
  firstDelayMilliseconds: number,
): number | null {
  if (seen.tries >= maxTries || !isRetryable(seen, error)) return null
  return retryAfterMilliseconds(seen.headers) ?? firstDelayMilliseconds * 2 ** (seen.tries - 1)
}

function isRetryable({ status, error: unanswered }: Observation, error: unknown): boolean {
  if (status === null) {
    const reason: OutboundFailureReason = outboundFailureIn(unanswered)?.reason ?? 'connection-failed'
    return unanswered !== null && reason === 'connection-failed'
  }
  if (status === 429 || status >= 500) return true
  // Some providers answer 200 and report an overload in the first event.
  return status < 300 && error instanceof Error && 'isRetryable' in error && error.isRetryable === true
}

/**
 * Returns the delay that the provider requests, in seconds or as a date, or null if there is none or it is
 * invalid.
 */
function retryAfterMilliseconds(headers: Headers | null): number | null {
  const text = headers?.get('retry-after')?.trim() ?? ''
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text) * 1000
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now())
}
