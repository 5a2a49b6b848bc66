import { setMaxListeners } from 'node:events'
import type { Timers } from '../../ports/timers.js'

/** The time of a step, or the caller's word to give up, whichever comes first. */
export interface Deadline {
  readonly signal: AbortSignal
  /** Whether it was the time. */
  readonly isTimeUp: boolean
  readonly remainingMilliseconds: number
  /** Settles as the work does, or rejects as soon as the signal fires, whether the work listens to it or not. */
  settled<T>(work: Promise<T>): Promise<T>
  /** To be called when the step is over. */
  release(): void
}

export function startDeadline(timers: Timers, milliseconds: number, caller: AbortSignal): Deadline {
  const controller = new AbortController()
  const end = timers.monotonic() + milliseconds
  let isTimeUp = false
  const cancel = timers.after(milliseconds, () => {
    isTimeUp = true
    controller.abort()
  })
  const giveUp = () => controller.abort(caller.reason)
  // Many steps may share the caller's signal; their listeners go with them.
  setMaxListeners(0, caller)
  caller.addEventListener('abort', giveUp)
  if (caller.aborted) giveUp()
  return {
    signal: controller.signal,
    get isTimeUp() {
      return isTimeUp
    },
    get remainingMilliseconds() {
      return end - timers.monotonic()
    },
    settled: (work) => settledInTime(work, controller.signal),
    release() {
      cancel()
      caller.removeEventListener('abort', giveUp)
    },
  }
}

function settledInTime<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort)
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
