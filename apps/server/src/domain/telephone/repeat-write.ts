import type { Log } from '../../ports/log.js'
import type { Timers } from '../../ports/time.js'

/** How long a failed write waits until it is repeated. */
const pauses = [250, 500, 1000, 2000, 5000, 10_000, 20_000, 30_000]

/** Repeats a write that fails, for about a minute. The write must be idempotent. Throws the last error. */
export async function repeatWrite(
  { timers, log }: { readonly timers: Timers; readonly log: Log },
  callId: string,
  write: () => Promise<void>,
): Promise<void> {
  for (const pause of pauses) {
    try {
      return await write()
    } catch (error) {
      log.warn({ err: error, callId }, 'a change of a call was not stored; retrying')
    }
    await timers.sleep(pause)
  }
  await write()
}
