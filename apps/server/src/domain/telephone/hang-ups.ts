import { FairQueue } from '../../concurrency/fair-queue.js'
import type { Carriers } from '../../ports/carriers.js'
import type { Log } from '../../ports/log.js'
import type { PhoneConnectionRecord } from '../../ports/phone-stores.js'
import type { Timers } from '../../ports/time.js'

export interface HangUpsDependencies {
  readonly carriers: Pick<Carriers, 'of' | 'failureOf'>
  readonly timers: Timers
  readonly log: Log
}

/** The requests of one organization leave room for the others, because its provider may be slow. */
const limits = { atOnce: 100, atOncePerOwner: 10, maxWaiting: 20_000, maxWaitingPerOwner: 5000 }
/** How long a failed request waits until it is repeated. */
const pauses = [1000, 3000, 10_000, 30_000]
/** How long a shutdown waits for requests in progress. */
const stopMilliseconds = 5000

/** The requests of this instance to hang up at providers. They run in the background, because providers may be slow. */
export class HangUps {
  readonly #dependencies: HangUpsDependencies
  readonly #queue: FairQueue
  readonly #work = new Map<string, Promise<void>>()
  #hasStopped = false

  constructor(dependencies: HangUpsDependencies) {
    this.#dependencies = dependencies
    this.#queue = new FairQueue(dependencies.timers, limits)
  }

  /** Hangs up, and repeats that a few times if the provider fails. Has no effect if it is in progress for this call. */
  start(connection: PhoneConnectionRecord, providerCallId: string): void {
    const key = `${connection.id} ${providerCallId}`
    if (this.#work.has(key)) return
    const done = this.#hangUp(connection, providerCallId)
      .catch((error) => this.#dependencies.log.error({ err: error, providerCallId }, 'a hang-up failed'))
      .finally(() => this.#work.delete(key))
    this.#work.set(key, done)
  }

  /** Waits for the requests in progress, for a limited time. No request is repeated. */
  async stop(): Promise<void> {
    await this.#dependencies.timers.within(stopMilliseconds, Promise.all(this.#work.values()))
    this.#hasStopped = true
  }

  async #hangUp(connection: PhoneConnectionRecord, providerCallId: string): Promise<void> {
    const { timers, log } = this.#dependencies
    for (const pause of [...pauses, null]) {
      const attempt = () => this.#attempt(connection, providerCallId)
      const slot = await this.#queue.run(connection.organizationId, attempt)
      if (slot.ok && slot.value) return
      if (pause === null || this.#hasStopped) break
      await timers.sleep(pause)
    }
    log.warn({ phoneConnectionId: connection.id, providerCallId }, 'the provider did not hang up a call')
  }

  /** Returns false if another attempt may help. */
  async #attempt(connection: PhoneConnectionRecord, providerCallId: string): Promise<boolean> {
    if (this.#hasStopped) return false
    const { carriers } = this.#dependencies
    try {
      await carriers.of(connection)?.hangUp(providerCallId)
    } catch (error) {
      // If the provider refuses the request, the call has usually ended.
      return carriers.failureOf(error)?.isTemporary === false
    }
    return true
  }
}
