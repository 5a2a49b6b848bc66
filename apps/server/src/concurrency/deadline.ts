import { setMaxListeners } from 'node:events'
import type { Timers } from '../ports/time.js'

/**
 * One deadline for work in several steps. It passes at the timeout, or earlier if one of the signals aborts.
 */
export interface Deadline {
  readonly signal: AbortSignal
  /** Whether the work timed out. */
  readonly isTimeUp: boolean
  /**
   * Settles like `work`, or rejects with the signal's reason as soon as the signal aborts, even if `work`
   * ignores it.
   */
  race<T>(work: Promise<T>): Promise<T>
  /** Aborts the signal now and removes its listeners. */
  end(reason: unknown): void
  /** Must be called when the work is done, so that the signal no longer aborts. */
  release(): void
}

export interface DeadlineOptions {
  readonly milliseconds: number
  readonly makeTimeoutReason: () => Error
  readonly signals: readonly (AbortSignal | undefined)[]
  /** Defaults to the system's timers. */
  readonly timers?: Pick<Timers, 'after'>
}

// The maximum delay of a Node timer. A timer with a longer delay would fire immediately.
const maxTimerMilliseconds = 2 ** 31 - 1

const systemTime: Pick<Timers, 'after'> = {
  after(milliseconds, action) {
    const timer = setTimeout(action, milliseconds)
    return () => clearTimeout(timer)
  },
}

export function startDeadline({
  milliseconds,
  makeTimeoutReason,
  signals,
  timers = systemTime,
}: DeadlineOptions): Deadline {
  const controller = new AbortController()
  const stops: (() => void)[] = []
  let isTimeUp = false
  const cancelTimer = timers.after(Math.min(milliseconds, maxTimerMilliseconds), () => {
    isTimeUp = true
    end(makeTimeoutReason())
  })
  const release = () => {
    cancelTimer()
    for (const stop of stops.splice(0)) stop()
  }
  const end = (reason: unknown) => {
    release()
    controller.abort(reason)
  }
  for (const signal of signals.filter((each) => each !== undefined)) {
    // Many calls may share a signal, so each call removes its own listener.
    setMaxListeners(0, signal)
    if (signal.aborted) {
      end(signal.reason)
      break
    }
    const onAbort = () => end(signal.reason)
    signal.addEventListener('abort', onAbort)
    stops.push(() => signal.removeEventListener('abort', onAbort))
  }
  return {
    signal: controller.signal,
    get isTimeUp() {
      return isTimeUp
    },
    race: (work) => raceWithSignal(work, controller.signal),
    end,
    release,
  }
}

/** Settles like `work`, or rejects with the signal's reason as soon as the signal aborts. */
export function raceWithSignal<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
