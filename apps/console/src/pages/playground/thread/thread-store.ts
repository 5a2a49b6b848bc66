import { emptyThread, type Thread } from './thread'
import { recordOf, stepTiming, type Timing } from './timing'

/** Holds the page's thread. Batches consecutive changes into one render. */
export class ThreadStore {
  readonly #listeners = new Set<() => void>()
  #thread = emptyThread
  #isNotifying = false

  readonly get = (): Thread => this.#thread

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  change(step: (thread: Thread) => Thread): void {
    const next = step(this.#thread)
    if (next === this.#thread) return
    this.#thread = next
    if (this.#isNotifying) return
    this.#isNotifying = true
    queueMicrotask(() => {
      this.#isNotifying = false
      for (const listener of [...this.#listeners]) listener()
    })
  }

  beginExchange(timing: Timing): void {
    this.change((thread) => ({ ...thread, current: timing }))
  }

  measure(event: object): void {
    this.change((thread) => {
      if (thread.current === null) return thread
      const current = stepTiming(thread.current, recordOf(event), performance.now())
      return current === thread.current ? thread : withTiming(thread, current)
    })
  }
}

/** Timing figures are shown below the last message of an answer. */
function withTiming(thread: Thread, current: Timing): Thread {
  const before = thread.current?.answerId ?? null
  const timings = { ...thread.timings }
  if (before !== null && before !== current.answerId) delete timings[before]
  if (current.answerId !== null) timings[current.answerId] = current
  return { ...thread, current, timings }
}
