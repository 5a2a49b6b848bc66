import type { IncomingMessage } from 'node:http'

/**
 * Lets a few pieces of work of all callers together be done in each pass of the event loop, callers in turn; what comes
 * besides waits for a later pass.
 */
export class CallerTurns {
  readonly #inPass: number
  /** Callers in the order of their turn: whoever is served goes to the end. */
  readonly #waiting = new Map<string, (() => void)[]>()
  #left: number
  #isPassCounted = false

  constructor(inPass: number) {
    this.#inPass = inPass
    this.#left = inPass
  }

  /** Does the work now, or in a later pass. */
  run(caller: string, work: () => void): void {
    this.#countPass()
    if (this.#left > 0) {
      this.#left -= 1
      work()
      return
    }
    const line = this.#waiting.get(caller)
    if (line === undefined) this.#waiting.set(caller, [work])
    else line.push(work)
  }

  #countPass(): void {
    if (this.#isPassCounted) return
    this.#isPassCounted = true
    setImmediate(() => this.#beginPass())
  }

  #beginPass(): void {
    this.#isPassCounted = false
    this.#left = this.#inPass
    while (this.#left > 0 && this.#waiting.size > 0) this.#doNext()
    if (this.#left < this.#inPass) this.#countPass()
  }

  #doNext(): void {
    for (const [caller, line] of this.#waiting) {
      const work = line.shift()
      this.#waiting.delete(caller)
      if (line.length > 0) this.#waiting.set(caller, line)
      this.#left -= 1
      work?.()
      return
    }
  }
}

/** Callers are told apart by the key that they present, good or not, before anything else is done for them. */
export function presentedCaller({ headers, socket }: IncomingMessage): string {
  const key = headers['x-api-key'] ?? headers.authorization
  return typeof key === 'string' ? `key ${key}` : `address ${socket.remoteAddress}`
}
