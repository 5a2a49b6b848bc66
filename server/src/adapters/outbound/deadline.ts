import { setMaxListeners } from 'node:events'

/** One end for a piece of work in several steps: its time, or one of the signals that may end it before. */
export interface Deadline {
  readonly signal: AbortSignal
  /** Settles as the work does, or rejects with the signal's reason as soon as that fires. */
  race<T>(work: Promise<T>): Promise<T>
  /** Fires the signal now, which frees all that listens to it. */
  end(reason: unknown): void
  /** To be called when the work is done; the signal will not fire any more. */
  release(): void
}

// A longer timer fires at once.
const maxTimerMilliseconds = 2 ** 31 - 1

export function startDeadline(
  milliseconds: number,
  makeTimeoutReason: () => Error,
  signals: readonly (AbortSignal | undefined)[],
): Deadline {
  const controller = new AbortController()
  const released = new AbortController()
  const end = (reason: unknown) => {
    release()
    controller.abort(reason)
  }
  const timer = setTimeout(() => end(makeTimeoutReason()), Math.min(milliseconds, maxTimerMilliseconds))
  const release = () => {
    clearTimeout(timer)
    released.abort()
  }
  for (const signal of signals.filter((each) => each !== undefined)) {
    // Any number of calls may share a signal; their listeners go with them.
    setMaxListeners(0, signal)
    if (signal.aborted) end(signal.reason)
    signal.addEventListener('abort', () => end(signal.reason), { signal: released.signal })
  }
  return { signal: controller.signal, race: (work) => raceWithSignal(work, controller.signal), end, release }
}

function raceWithSignal<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
