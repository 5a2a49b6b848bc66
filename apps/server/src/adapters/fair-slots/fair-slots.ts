import type { Timers } from '../../ports/timers.js'

export interface FairSlotsOptions {
  readonly atOnce: number
  /** How many of these one owner may have; all of them where it is left out. */
  readonly atOncePerOwner?: number
  /** How many may wait for a slot, in all and of one owner. */
  readonly maxWaiting: number
  readonly maxWaitingPerOwner: number
  readonly maxWaitMilliseconds: number
}

export type SlotResult<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false }

/**
 * Lets a few pieces of work be done at once, some more wait for that, and turns the rest away. A slot that becomes free
 * goes to the owners in turn, however much work each of them brings.
 */
export class FairSlots {
  readonly #timers: Timers
  readonly #options: FairSlotsOptions
  /** In the order of their turn: whoever is served goes to the end. */
  readonly #waiting = new Map<string, (() => void)[]>()
  readonly #running = new Map<string, number>()
  #waitingCount = 0
  #free: number

  constructor(timers: Timers, options: FairSlotsOptions) {
    this.#timers = timers
    this.#options = options
    this.#free = options.atOnce
  }

  /** Does the work once a slot is free; not ok where that would take too long. */
  async run<Value>(owner: string, work: () => Promise<Value>): Promise<SlotResult<Value>> {
    if (!(await this.#acquire(owner))) return { ok: false }
    try {
      return { ok: true, value: await work() }
    } finally {
      this.#release(owner)
    }
  }

  #acquire(owner: string): Promise<boolean> {
    if (this.#free > 0 && this.#mayRun(owner)) {
      this.#take(owner)
      return Promise.resolve(true)
    }
    const { maxWaiting, maxWaitingPerOwner, maxWaitMilliseconds } = this.#options
    const own = this.#waiting.get(owner) ?? []
    if (this.#waitingCount >= maxWaiting || own.length >= maxWaitingPerOwner) return Promise.resolve(false)
    return new Promise((resolve) => {
      const start = () => {
        cancel()
        this.#leave(owner, start)
        this.#take(owner)
        resolve(true)
      }
      const cancel = this.#timers.after(maxWaitMilliseconds, () => {
        this.#leave(owner, start)
        resolve(false)
      })
      this.#waiting.set(owner, [...own, start])
      this.#waitingCount += 1
    })
  }

  #mayRun(owner: string): boolean {
    const { atOnce, atOncePerOwner = atOnce } = this.#options
    return (this.#running.get(owner) ?? 0) < atOncePerOwner
  }

  #take(owner: string): void {
    this.#free -= 1
    this.#running.set(owner, (this.#running.get(owner) ?? 0) + 1)
  }

  /** Takes it out of the queue; what its owner has left goes behind the others. */
  #leave(owner: string, start: () => void): void {
    const left = (this.#waiting.get(owner) ?? []).filter((each) => each !== start)
    this.#waitingCount -= 1
    this.#waiting.delete(owner)
    if (left.length > 0) this.#waiting.set(owner, left)
  }

  #release(owner: string): void {
    this.#free += 1
    const left = (this.#running.get(owner) ?? 1) - 1
    if (left > 0) this.#running.set(owner, left)
    else this.#running.delete(owner)
    for (const [next, [start]] of this.#waiting) {
      if (start === undefined || !this.#mayRun(next)) continue
      start()
      return
    }
  }
}
