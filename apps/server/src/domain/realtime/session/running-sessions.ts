import type { Database } from '../../../ports/database.js'
import type { Timers } from '../../../ports/time.js'
import type { DrainOptions } from '../../durability/drain-options.js'
import { RealtimeSession, type SessionDependencies, type SessionInput } from './session.js'

/** The time for storing the last messages after the last session has ended. */
const storeGraceMilliseconds = 10_000

/** The interval at which a draining instance checks whether a session has become silent. */
const silentPollMilliseconds = 250

/** Longer than any handshake. An older session that does not run here never will. */
const forgottenSeconds = 60

/**
 * The id of an instance and the length of its lease. After that time without renewal, other instances consider it dead.
 */
export interface LeasedInstance {
  readonly instanceId: string
  readonly leaseSeconds: number
}

/** The sessions that run on this instance. */
export class RunningSessions {
  readonly #dependencies: SessionDependencies
  readonly #instanceId: string
  readonly #leaseSeconds: number
  readonly #running = new Map<string, RealtimeSession>()
  readonly #arriving = new Set<Promise<void>>()
  #isDrainOver = false
  #inTouchSince: number | null = null
  #lookedForForgottenAt = Number.NEGATIVE_INFINITY

  constructor(dependencies: SessionDependencies, { instanceId, leaseSeconds }: LeasedInstance) {
    this.#dependencies = dependencies
    this.#instanceId = instanceId
    this.#leaseSeconds = leaseSeconds
  }

  get count(): number {
    return this.#running.size
  }

  /** Returns the number of sessions that draining with the same options waits for. */
  awaitedCount({ onlyActive = false }: DrainOptions = {}): number {
    return onlyActive ? this.count - this.#silent().length : this.count
  }

  /** The number of writes of all sessions that wait for the database. */
  get waitingWrites(): number {
    return [...this.#running.values()].reduce((sum, session) => sum + session.waitingWrites, 0)
  }

  /** Whether a session of the organization runs here. */
  holdsWorkOf(organizationId: string): boolean {
    return [...this.#running.values()].some((session) => session.organizationId === organizationId)
  }

  /** Registers a handshake. Draining waits for its session or its failure. */
  expect(handshake: Promise<void>): void {
    const settled: Promise<void> = handshake.then(
      () => void this.#arriving.delete(settled),
      () => void this.#arriving.delete(settled),
    )
    this.#arriving.add(settled)
  }

  start(input: SessionInput): RealtimeSession {
    const session = new RealtimeSession(this.#dependencies, input)
    this.#running.set(session.id, session)
    void session.done.then(() => this.#running.delete(session.id))
    session.start()
    if (this.#isDrainOver) endForDrain(session)
    return session
  }

  /** Ends the sessions whose end was requested on any instance. */
  async endRequested(): Promise<void> {
    if (this.#running.size === 0) return
    for (const id of await this.#database.stores.realtimeSessions.endRequested(this.#instanceId))
      this.#running.get(id)?.end('terminated', 'The session was ended by an operator.')
  }

  /**
   * Renews the lease of this instance and ends the sessions of instances with expired leases. Returns whether it could
   * check them. An instance that has just lost touch with the database does not check: the others may have lost touch
   * as well, and get the length of a lease to renew theirs.
   */
  async keepLease(): Promise<boolean> {
    const { instanceLeases } = this.#database.stores
    // The lease is renewed three times as often as necessary. If two renewals are missing, this instance was out of
    // touch.
    const unbrokenSeconds = (this.#leaseSeconds * 2) / 3
    if (!(await instanceLeases.renew(this.#instanceId, unbrokenSeconds))) this.#inTouchSince = null
    if (this.#inTouchSince === null) {
      await this.#endGivenUp()
      this.#inTouchSince = this.#timers.monotonic()
    }
    if (this.#timers.monotonic() - this.#inTouchSince < this.#leaseSeconds * 1000) return false
    await this.#closeLost()
    await this.#closeForgotten()
    return true
  }

  /** For installations with one instance: closes the sessions of former processes at once. */
  async takeOver(): Promise<void> {
    await this.#database.stores.instanceLeases.releaseOthers(this.#instanceId)
    await this.#closeLost()
  }

  /**
   * Lets sessions finish until the deadline, ends the rest, and waits until everything is stored. The wait is limited,
   * because neither an unavailable database nor a hanging tool may block the shutdown. Returns whether everything is
   * stored.
   */
  async drain(milliseconds: number, { onlyActive = false }: DrainOptions = {}): Promise<boolean> {
    const cancel = this.#timers.after(milliseconds, () => {
      this.#isDrainOver = true
      for (const session of this.#running.values()) endForDrain(session)
    })
    let cancelPoll: () => void = () => undefined
    const endSilent = () => {
      for (const session of this.#silent()) endForDrain(session)
      cancelPoll = this.#timers.after(silentPollMilliseconds, endSilent)
    }
    if (onlyActive) endSilent()
    const isStored = await this.#allDone(milliseconds + storeGraceMilliseconds)
    cancel()
    cancelPoll()
    if (!isStored)
      this.#dependencies.log.error(
        { sessions: this.#running.size },
        'the database is away, or tools still run; what they would have stored is lost',
      )
    return isStored
  }

  /** Must be called when this instance runs no more sessions, because other instances would close them. */
  async releaseLease(): Promise<void> {
    await this.#database.stores.instanceLeases.release(this.#instanceId)
  }

  /**
   * Ends sessions that other instances have taken over. Calls that ran here already have an outcome, and waiting calls
   * may run elsewhere. The client gets an error that asks it to reconnect with a new session.
   */
  async #endGivenUp(): Promise<void> {
    if (this.#running.size === 0) return
    for (const id of await this.#database.stores.realtimeSessions.givenUp([...this.#running.keys()]))
      this.#running
        .get(id)
        ?.end('draining', 'This instance lost its database. Continue the conversation in a new session.')
  }

  async #closeLost(): Promise<void> {
    const lost = await this.#database.stores.instanceLeases.closeLost(this.#leaseSeconds)
    if (lost > 0)
      this.#dependencies.log.warn({ sessions: lost }, 'sessions of a stopped instance were closed')
  }

  /**
   * Closes sessions that count as running here but do not. Otherwise they would stay open as long as this instance
   * lives. Such sessions are rare, and finding them takes the ids of all running ones, so not every renewal does it.
   */
  async #closeForgotten(): Promise<void> {
    const now = this.#timers.monotonic()
    if (now - this.#lookedForForgottenAt < (forgottenSeconds * 1000) / 2) return
    this.#lookedForForgottenAt = now
    const { instanceLeases } = this.#database.stores
    const runningIds = [...this.#running.keys()]
    const closed = await instanceLeases.closeForgotten(this.#instanceId, runningIds, forgottenSeconds)
    if (closed > 0)
      this.#dependencies.log.warn({ sessions: closed }, 'sessions without an instance were closed')
  }

  #silent(): RealtimeSession[] {
    return [...this.#running.values()].filter(({ isTalking }) => !isTalking)
  }

  async #allDone(milliseconds: number): Promise<boolean> {
    const allDone = async () => {
      while (this.#running.size + this.#arriving.size > 0)
        await Promise.allSettled([...this.#arriving, ...[...this.#running.values()].map(({ done }) => done)])
    }
    await this.#timers.within(milliseconds, allDone())
    return this.#running.size === 0
  }

  get #database(): Database {
    return this.#dependencies.database
  }

  get #timers(): Timers {
    return this.#dependencies.timers
  }
}

function endForDrain(session: RealtimeSession): void {
  session.end('draining', 'The service is shutting down. Continue the conversation in a new session.')
}
