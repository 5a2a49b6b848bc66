import { ApiError, ConnectionError } from './api-error.js'

export interface RetryPolicy {
  /** How often a failed attempt is repeated. */
  readonly maxRetries: number
  /** The pause before the first repetition; it doubles with each, up to eight seconds. */
  readonly backoffMilliseconds: number
  /** A `Retry-After` above this is not waited for: the error says when to come back. */
  readonly maxRetryAfterSeconds: number
}

const longestPauseMilliseconds = 8000
const passing: readonly number[] = [408, 500, 502, 503, 504]

/** Whether the same request may be sent once more. One that was refused as too quick has done nothing. */
export function isWorthRetrying(error: unknown, isRepeatable: boolean): boolean {
  if (error instanceof ApiError)
    return error.status === 429 || (isRepeatable && passing.includes(error.status))
  return isRepeatable && error instanceof ConnectionError
}

/** How long to wait before the next attempt; null where that would be too long. */
export function pauseBefore(attempt: number, error: unknown, policy: RetryPolicy): number | null {
  const asked = error instanceof ApiError ? error.retryAfterSeconds : null
  if (asked !== null && asked > policy.maxRetryAfterSeconds) return null
  const pause = Math.min(policy.backoffMilliseconds * 2 ** attempt, longestPauseMilliseconds)
  // Those who were refused together do not come back together, nor before the time that was asked for.
  const spread = pause * (0.5 + Math.random() / 2)
  return asked === null ? spread : asked * 1000 + spread / 4
}

/** Waits, unless it is cancelled. */
export function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const cancel = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', cancel)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', cancel, { once: true })
  })
}
