import { setTimeout as sleep } from 'node:timers/promises'

const pauseMilliseconds = { first: 100, most: 500 } as const

/** Waits for a database that is away: asks it soon and then twice a second, once for all who wait, however many these are. */
export class OutageWatch {
  readonly #ping: () => Promise<void>
  #returning: Promise<void> | null = null
  #isClosed = false

  constructor(ping: () => Promise<void>) {
    this.#ping = ping
  }

  /** Settles once the database responds; never, once this is closed. */
  returned(): Promise<void> {
    this.#returning ??= this.#poll()
    return this.#returning
  }

  close(): void {
    this.#isClosed = true
  }

  async #poll(): Promise<void> {
    let pause: number = pauseMilliseconds.first
    do {
      await sleep(pause, undefined, { ref: false })
      pause = Math.min(pause * 2, pauseMilliseconds.most)
    } while (!(await this.#isThere()))
    this.#returning = null
  }

  async #isThere(): Promise<boolean> {
    if (this.#isClosed) return new Promise(() => {})
    return this.#ping().then(
      () => true,
      () => false,
    )
  }
}
