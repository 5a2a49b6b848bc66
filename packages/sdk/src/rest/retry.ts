import { ApiError, ConnectionError } from './api-error.js'

export interface RetryPolicy {
  /** The maximum number of retries. */
  readonly maxRetries: number
  /** The pause before the first retry. It doubles with each retry, up to eight seconds. */
  readonly backoffMilliseconds: number
  /** The client does not wait for a longer `Retry-After`. The error has the value. */
  readonly maxRetryAfterSeconds: number
}

const longestPauseMilliseconds = 8000
const passing: readonly number[] = [408, 500, 502, 503, 504]

/** Whether the request may be sent again. A rate-limited request has had no effect. */
export function isWorthRetrying(error: unknown, isRepeatable: boolean): boolean {
  if (error instanceof ApiError)
    return error.status === 429 || (isRepeatable && passing.includes(error.status))
  return isRepeatable && error instanceof ConnectionError
}

/** Returns the pause before the next attempt, or null if it would be too long. */
export function pauseBefore(attempt: number, error: unknown, policy: RetryPolicy): number | null {
  const asked = error instanceof ApiError ? error.retryAfterSeconds : null
  if (asked !== null && asked > policy.maxRetryAfterSeconds) return null
  const pause = Math.min(policy.backoffMilliseconds * 2 ** attempt, longestPauseMilliseconds)
  // Jitter, so that clients that were rejected together do not retry together, and never before `Retry-After`.
  const spread = pause * (0.5 + Math.random() / 2)
  return asked === null ? spread : asked * 1000 + spread / 4
}

/** Waits until the time is over or the signal aborts. */
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
