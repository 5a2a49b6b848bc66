import { setMaxListeners } from 'node:events'
import type { Timers } from '../ports/time.js'

/** A common end for work in several steps: its timeout, or one of the signals that may end it earlier. */
export interface Deadline {
  readonly signal: AbortSignal
  /** Whether the timeout ended the work. */
  readonly isTimeUp: boolean
  /**
   * Settles like `work`, or rejects with the signal's reason as soon as it aborts, even if `work` ignores
   * the signal.
   */
  race<T>(work: Promise<T>): Promise<T>
  /** Aborts the signal now and releases its listeners. */
  end(reason: unknown): void
  /** Must be called when the work is done. The signal will no longer abort. */
  release(): void
}

export interface DeadlineOptions {
  readonly milliseconds: number
  readonly makeTimeoutReason: () => Error
  readonly signals: readonly (AbortSignal | undefined)[]
  /** Defaults to the system's timers. */
  readonly timers?: Pick<Timers, 'after'>
}

// The longest delay of a Node timer. A longer one would fire immediately.
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
    // Many calls may share a signal. Each call removes its own listener.
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
