import type { Timers } from '../ports/time.js'

/** All limits are optional. A limit that is absent does not apply. */
export interface FairQueueOptions {
  /** The maximum number of concurrent tasks, in total and per owner. */
  readonly atOnce?: number
  readonly atOncePerOwner?: number
  /** The maximum number of waiting tasks, in total and per owner. */
  readonly maxWaiting?: number
  readonly maxWaitingPerOwner?: number
  readonly maxWaitMilliseconds?: number
  /**
   * Tasks in this lane wait without a time limit, and leave one slot of their owner free for its other lanes.
   */
  readonly yieldingLane?: string
}

/** Not ok if the queue was full, or if no slot became free in time. */
export type SlotResult<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false }

type Start = () => void

interface Owner {
  running: number
  yielding: number
  waiting: number
  /** The queued tasks of each lane, in order of arrival. The lane to be served next comes first. */
  readonly lanes: Map<string, Set<Start>>
}

/**
 * Limits concurrent work. Slots are assigned round-robin across owners, and within an owner round-robin
 * across its lanes, regardless of how many tasks each of them has queued.
 */
export class FairQueue {
  readonly #timers: Pick<Timers, 'after'>
  readonly #options: FairQueueOptions
  readonly #owners = new Map<string, Owner>()
  /** Owners with queued tasks. The owner to be served next comes first, and moves to the end after that. */
  readonly #turns = new Set<string>()
  #running = 0
  #waiting = 0

  constructor(timers: Pick<Timers, 'after'>, options: FairQueueOptions) {
    this.#timers = timers
    this.#options = options
  }

  /** Runs the work in a slot. Starts it synchronously if a slot is free. */
  async run<Value>(name: string, work: () => Promise<Value>, lane = ''): Promise<SlotResult<Value>> {
    const owner = this.#owners.get(name) ?? { running: 0, yielding: 0, waiting: 0, lanes: new Map() }
    this.#owners.set(name, owner)
    if (this.#isSlotFree(owner)) this.#take(owner, lane)
    else if (!(await this.#wait(name, owner, lane))) return { ok: false }
    try {
      return { ok: true, value: await work() }
    } finally {
      this.#running -= 1
      owner.running -= 1
      if (lane === this.#options.yieldingLane) owner.yielding -= 1
      this.#forgetIdle(name, owner)
      this.#startNext()
    }
  }

  #isSlotFree({ running }: Owner): boolean {
    const { atOnce = Infinity, atOncePerOwner = Infinity } = this.#options
    return this.#running < atOnce && running < atOncePerOwner
  }

  #take(owner: Owner, lane: string): void {
    this.#running += 1
    owner.running += 1
    if (lane === this.#options.yieldingLane) owner.yielding += 1
  }

  /** Acquires a slot. Returns false if none became free in time. */
  #wait(name: string, owner: Owner, lane: string): Promise<boolean> {
    const { maxWaiting = Infinity, maxWaitingPerOwner = Infinity } = this.#options
    if (this.#waiting >= maxWaiting || owner.waiting >= maxWaitingPerOwner) {
      this.#forgetIdle(name, owner)
      return Promise.resolve(false)
    }
    return new Promise((resolve) => {
      const start = () => {
        cancel()
        this.#leave(name, owner, lane, start)
        this.#take(owner, lane)
        resolve(true)
      }
      const cancel = this.#afterLongestWait(lane, () => {
        this.#leave(name, owner, lane, start)
        this.#forgetIdle(name, owner)
        resolve(false)
      })
      const line = owner.lanes.get(lane) ?? new Set()
      owner.lanes.set(lane, line.add(start))
      owner.waiting += 1
      this.#waiting += 1
      this.#turns.add(name)
    })
  }

  #afterLongestWait(lane: string, giveUp: () => void): () => void {
    const { maxWaitMilliseconds, yieldingLane } = this.#options
    if (maxWaitMilliseconds === undefined || lane === yieldingLane) return () => undefined
    return this.#timers.after(maxWaitMilliseconds, giveUp)
  }

  /**
   * Removes a task from its lane. The lane and the owner then move to the end of the queue if they have more
   * tasks.
   */
  #leave(name: string, owner: Owner, lane: string, start: Start): void {
    const { lanes } = owner
    const line = lanes.get(lane)
    line?.delete(start)
    lanes.delete(lane)
    if (line && line.size > 0) lanes.set(lane, line)
    owner.waiting -= 1
    this.#waiting -= 1
    this.#turns.delete(name)
    if (lanes.size > 0) this.#turns.add(name)
  }

  #startNext(): void {
    // Iterates over a copy, because a served owner moves to the end during the loop.
    for (const name of [...this.#turns]) {
      const owner = this.#owners.get(name)
      if (owner === undefined || !this.#isSlotFree(owner)) continue
      for (const [lane, [start]] of owner.lanes) {
        if (start === undefined || (lane === this.#options.yieldingLane && this.#mustYield(owner))) continue
        start()
        break
      }
    }
  }

  /**
   * Returns whether other lanes are waiting while the yielding lane occupies all but one of its owner's
   * slots.
   */
  #mustYield({ yielding, lanes }: Owner): boolean {
    const { atOncePerOwner = Infinity } = this.#options
    return lanes.size > 1 && yielding > 0 && yielding >= atOncePerOwner - 1
  }

  #forgetIdle(name: string, { running, waiting }: Owner): void {
    if (running === 0 && waiting === 0) this.#owners.delete(name)
  }
}
