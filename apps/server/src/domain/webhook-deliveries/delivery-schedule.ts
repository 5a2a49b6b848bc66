const seconds = 1000
const minutes = 60 * seconds
const hours = 60 * minutes

/** How long to wait after each failed attempt: all of them together take about a day. */
const pauses: readonly number[] = [
  5 * seconds,
  30 * seconds,
  2 * minutes,
  10 * minutes,
  30 * minutes,
  hours,
  2 * hours,
  4 * hours,
  8 * hours,
  8 * hours,
]

/** By how much a pause may be shorter or longer, so that those who failed together do not come back together. */
const jitter = 0.2

const longestPause = 8 * hours

/**
 * When to try again after so many failed attempts, not before the receiver wants it; null where it is given up.
 * `random` is from 0 to 1.
 */
export function nextAttemptAt(
  now: Date,
  attemptCount: number,
  { random, retryAfterMilliseconds }: { readonly random: number; readonly retryAfterMilliseconds: number },
): Date | null {
  const pause = pauses[attemptCount - 1]
  if (pause === undefined) return null
  const spread = pause * (1 + jitter * (2 * random - 1))
  return new Date(now.getTime() + Math.max(spread, Math.min(retryAfterMilliseconds, longestPause)))
}

/** What `Retry-After` asks for, as seconds or as a date; 0 where it asks for nothing. */
export function readRetryAfter(value: string | undefined, now: Date): number {
  if (value === undefined) return 0
  if (/^\d{1,9}$/.test(value)) return Number(value) * seconds
  const date = Date.parse(value)
  return Number.isNaN(date) ? 0 : Math.max(0, date - now.getTime())
}
