interface Waiter {
  readonly owner: object
  readonly settle: (outcome: LockOutcome) => void
}

export type LockOutcome = 'held' | 'timed out' | 'abandoned'

/**
 * Who may use the one session: first come, first served. An owner keeps it until it releases it, so a connection
 * inside a transaction has the session to itself.
 */
export class SessionLock {
  #owner: object | null = null
  #waiters: Waiter[] = []

  /** Waits for its turn, for as long as it takes when no limit is given. An owner that asks again has it already. */
  acquire(owner: object, limitMilliseconds?: number): Promise<LockOutcome> {
    this.#owner ??= owner
    if (this.#owner === owner) return Promise.resolve('held')
    return new Promise((resolve) => {
      const timer =
        limitMilliseconds === undefined
          ? undefined
          : setTimeout(() => this.#settle(waiter, 'timed out'), limitMilliseconds)
      const waiter: Waiter = {
        owner,
        settle(outcome) {
          clearTimeout(timer)
          resolve(outcome)
        },
      }
      this.#waiters.push(waiter)
    })
  }

  /** Hands over at once: between two owners nobody can slip in, and no time limit can pass. */
  release(owner: object): void {
    if (this.#owner !== owner) return
    const next = this.#waiters.shift()
    this.#owner = next?.owner ?? null
    next?.settle('held')
  }

  /** Stops waiting on behalf of an owner that is gone. */
  abandon(owner: object): void {
    for (const waiter of this.#waiters.filter((candidate) => candidate.owner === owner))
      this.#settle(waiter, 'abandoned')
  }

  isHeldBy(owner: object): boolean {
    return this.#owner === owner
  }

  #settle(waiter: Waiter, outcome: LockOutcome): void {
    this.#waiters = this.#waiters.filter((candidate) => candidate !== waiter)
    waiter.settle(outcome)
  }
}
