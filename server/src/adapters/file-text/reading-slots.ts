import type { Timers } from '../../ports/timers.js'

export interface ReadingSlotsOptions {
  readonly atOnce: number
  readonly maxWaiting: number
  readonly maxWaitMilliseconds: number
}

export type SlotResult<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false }

/** Lets a few files be read at once, some more wait for that, and turns the rest away. */
export class ReadingSlots {
  readonly #timers: Timers
  readonly #options: ReadingSlotsOptions
  readonly #waiting: (() => void)[] = []
  #free: number

  constructor(timers: Timers, options: ReadingSlotsOptions) {
    this.#timers = timers
    this.#options = options
    this.#free = options.atOnce
  }

  /** Runs `work` once a slot is free; not ok where that would take too long. */
  async run<Value>(work: () => Promise<Value>): Promise<SlotResult<Value>> {
    if (!(await this.#acquire())) return { ok: false }
    try {
      return { ok: true, value: await work() }
    } finally {
      this.#release()
    }
  }

  #acquire(): Promise<boolean> {
    if (this.#free > 0) {
      this.#free -= 1
      return Promise.resolve(true)
    }
    const { maxWaiting, maxWaitMilliseconds } = this.#options
    if (this.#waiting.length >= maxWaiting) return Promise.resolve(false)
    return new Promise((resolve) => {
      const start = () => {
        cancel()
        resolve(true)
      }
      const cancel = this.#timers.after(maxWaitMilliseconds, () => {
        this.#waiting.splice(this.#waiting.indexOf(start), 1)
        resolve(false)
      })
      this.#waiting.push(start)
    })
  }

  /** Hands the slot on, so that nobody can slip in between. */
  #release(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#free += 1
  }
}
