import { setMaxListeners } from 'node:events'
import type { Timers } from '../ports/time.js'

/** One end for a piece of work in several steps: its time, or one of the signals that may end it before. */
export interface Deadline {
  readonly signal: AbortSignal
  /** Whether it was the time that ended it. */
  readonly isTimeUp: boolean
  /** Settles as the work does, or rejects as soon as the signal fires, with its reason, whether the work listens or not. */
  race<T>(work: Promise<T>): Promise<T>
  /** Fires the signal now, which frees all that listens to it. */
  end(reason: unknown): void
  /** To be called when the work is done; the signal will not fire any more. */
  release(): void
}

export interface DeadlineOptions {
  readonly milliseconds: number
  readonly makeTimeoutReason: () => Error
  readonly signals: readonly (AbortSignal | undefined)[]
  /** Whose time it is; the system's by default. */
  readonly timers?: Pick<Timers, 'after'>
}

// A longer timer fires at once.
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
    // Any number of calls may share a signal; their listeners go with them.
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

function raceWithSignal<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
