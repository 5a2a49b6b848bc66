import { setMaxListeners } from 'node:events'
import type { Timers } from '../../ports/timers.js'

/** The time limit of a step, or the caller's own signal, whichever comes first. */
export interface Deadline {
  readonly signal: AbortSignal
  /** Whether it was the time limit. */
  readonly isTimeUp: boolean
  readonly remainingMilliseconds: number
  /** Settles as the work does, or rejects as soon as the signal fires, whether the work listens to it or not. */
  race<T>(work: Promise<T>): Promise<T>
  /** To be called when the step is over. */
  release(): void
}

export function startDeadline(timers: Timers, milliseconds: number, caller: AbortSignal): Deadline {
  const controller = new AbortController()
  const end = timers.monotonic() + milliseconds
  let isTimeUp = false
  const cancelTimer = timers.after(milliseconds, () => {
    isTimeUp = true
    controller.abort()
  })
  const onCallerAbort = () => controller.abort(caller.reason)
  // Many steps may share the caller's signal; their listeners go with them.
  setMaxListeners(0, caller)
  caller.addEventListener('abort', onCallerAbort)
  if (caller.aborted) onCallerAbort()
  return {
    signal: controller.signal,
    get isTimeUp() {
      return isTimeUp
    },
    get remainingMilliseconds() {
      return end - timers.monotonic()
    },
    race: (work) => raceWithSignal(work, controller.signal),
    release() {
      cancelTimer()
      caller.removeEventListener('abort', onCallerAbort)
    },
  }
}

function raceWithSignal<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort)
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
