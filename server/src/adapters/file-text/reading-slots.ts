interface Waiting {
  readonly start: () => void
}

/** Lets a few files be read at once, some more wait their turn, and turns the rest away. */
export class ReadingSlots {
  readonly #maxWaiting: number
  readonly #maxWaitMilliseconds: number
  readonly #waiting: Waiting[] = []
  #free: number

  constructor(options: {
    readonly atOnce: number
    readonly maxWaiting: number
    readonly maxWaitMilliseconds: number
  }) {
    this.#free = options.atOnce
    this.#maxWaiting = options.maxWaiting
    this.#maxWaitMilliseconds = options.maxWaitMilliseconds
  }

  /** Runs `work` in its turn; null where that would take too long. */
  async run<Result>(work: () => Promise<Result>): Promise<Result | null> {
    if (!(await this.#take())) return null
    try {
      return await work()
    } finally {
      this.#release()
    }
  }

  #take(): Promise<boolean> {
    if (this.#free > 0) {
      this.#free -= 1
      return Promise.resolve(true)
    }
    if (this.#waiting.length >= this.#maxWaiting) return Promise.resolve(false)
    return new Promise((resolve) => {
      const waiting: Waiting = {
        start() {
          clearTimeout(timer)
          resolve(true)
        },
      }
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
        resolve(false)
      }, this.#maxWaitMilliseconds)
      this.#waiting.push(waiting)
    })
  }

  /** Hands the slot on, so that nobody can slip in between. */
  #release(): void {
    const next = this.#waiting.shift()
    if (next) next.start()
    else this.#free += 1
  }
}
