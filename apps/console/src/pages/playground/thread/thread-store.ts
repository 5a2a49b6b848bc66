import { emptyThread, type Thread } from './thread'
import { recordOf, stepTiming, type Timing } from './timing'

/** The one thread of a page. Several changes in a row are one to whoever draws them. */
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

/** The figures stand under the last words of the answer. */
function withTiming(thread: Thread, current: Timing): Thread {
  const before = thread.current?.answerId ?? null
  const timings = { ...thread.timings }
  if (before !== null && before !== current.answerId) delete timings[before]
  if (current.answerId !== null) timings[current.answerId] = current
  return { ...thread, current, timings }
}
