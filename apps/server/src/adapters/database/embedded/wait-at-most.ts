import { setTimeout as wait } from 'node:timers/promises'

/** Waits for the work to be done, or for the time to be over; it leaves no timer behind. */
export async function waitAtMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const timer = new AbortController()
  try {
    await Promise.race([work, wait(milliseconds, undefined, { signal: timer.signal })])
  } finally {
    timer.abort()
  }
}
