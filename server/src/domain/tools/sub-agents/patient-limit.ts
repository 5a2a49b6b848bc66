import type { CustomEvent } from '@parley/contract'
import type { Timers } from '../../../ports/timers.js'

/**
 * How long a sub-agent may take. The clock stands still while one of its calls, or of the agents below it, waits for a
 * person: who is asked has all the time that was announced, and the agent what was left of its own.
 */
export class PatientLimit {
  readonly #timers: Timers
  readonly #giveUp = new AbortController()
  /** The messages of the calls that wait. */
  readonly #waiting = new Set<string>()
  #leftMilliseconds: number
  #goesSince = 0
  #cancel: () => void = () => undefined

  constructor(timers: Timers, milliseconds: number) {
    this.#timers = timers
    this.#leftMilliseconds = milliseconds
    this.#go()
  }

  /** Aborts when the time is over. */
  get signal(): AbortSignal {
    return this.#giveUp.signal
  }

  /** Hears what is told of the calls. */
  hear(event: CustomEvent): void {
    const wasWaiting = this.#waiting.size > 0
    if (event.type === 'approval.waiting') this.#waiting.add(event.data.messageId)
    if (event.type === 'approval.approved' || event.type === 'approval.expired')
      this.#waiting.delete(event.data.messageId)
    // One that was rejected is only told to be done.
    if (event.type === 'response.function_invocation.done') this.#waiting.delete(event.data.id)
    const isWaiting = this.#waiting.size > 0
    if (isWaiting && !wasWaiting) this.#stand()
    if (!isWaiting && wasWaiting) this.#go()
  }

  /** The agent has finished. */
  end(): void {
    this.#cancel()
  }

  #go(): void {
    this.#goesSince = this.#timers.monotonic()
    this.#cancel = this.#timers.after(this.#leftMilliseconds, () => this.#giveUp.abort())
  }

  #stand(): void {
    this.#cancel()
    this.#leftMilliseconds -= this.#timers.monotonic() - this.#goesSince
  }
}
