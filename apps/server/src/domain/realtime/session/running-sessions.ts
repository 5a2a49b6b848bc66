import type { Database } from '../../../ports/database.js'
import type { Timers } from '../../../ports/time.js'
import type { DrainOptions } from '../../durability/drain-options.js'
import { ConnectionBreaker } from '../opening/connection-breaker.js'
import { RealtimeSession, type SessionDependencies, type SessionInput } from './session.js'
import { SessionSpread } from './session-spread.js'

/** How long the last messages may take to be stored after the last session has ended. */
const storeGraceMilliseconds = 10_000

/** The interval at which a draining instance checks whether a session has become silent. */
const silentPollMilliseconds = 250

/** How long clients may prepare for the end of their session. */
const prepareMilliseconds = 1000

/**
 * The age from which a session is considered orphaned if it is stored as running on this instance but does
 * not run. It is longer than any handshake, so such a session will never start.
 */
const forgottenSeconds = 60

/**
 * The id of an instance, and the duration of its lease. If the lease is not renewed within that time, other
 * instances consider the instance dead.
 */
export interface LeasedInstance {
  readonly instanceId: string
  readonly leaseSeconds: number
}

const endedByOperator = 'The session was ended by an operator.'
const endedByErasure = 'The session was ended because its conversation is being erased.'

/** The sessions that run on this instance. */
export class RunningSessions {
  readonly #dependencies: SessionDependencies
  readonly #instanceId: string
  readonly #leaseSeconds: number
  readonly #running = new Map<string, RealtimeSession>()
  readonly #arriving = new Set<Promise<void>>()
  readonly #spread: SessionSpread
  #isDrainOver = false
  #connectedSince: number | null = null
  #lastOrphanCheckAt = Number.NEGATIVE_INFINITY

  constructor(
    dependencies: Omit<SessionDependencies, 'breaker'>,
    { instanceId, leaseSeconds }: LeasedInstance,
  ) {
    this.#dependencies = { ...dependencies, breaker: new ConnectionBreaker(dependencies.timers) }
    this.#instanceId = instanceId
    this.#leaseSeconds = leaseSeconds
    const { timers, database } = this.#dependencies
    const store = database.stores.instanceLeases
    this.#spread = new SessionSpread({ timers, store, instanceId, leaseSeconds })
  }

  get count(): number {
    return this.#running.size
  }

  /** Returns the number of sessions that draining with the same options waits for. */
  awaitedCount({ onlyActive = false }: DrainOptions = {}): number {
    const active = () => [...this.#running.values()].filter(({ isTalking }) => isTalking).length
    return onlyActive ? active() : this.count
  }

  /** The number of queued database writes of all sessions. */
  get waitingWrites(): number {
    return [...this.#running.values()].reduce((sum, session) => sum + session.waitingWrites, 0)
  }

  /** Returns whether a session of the organization runs here. */
  holdsWorkOf(organizationId: string): boolean {
    return [...this.#running.values()].some((session) => session.organizationId === organizationId)
  }

  /** Registers a handshake, so that draining waits for its session or its failure. */
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
    const { realtimeSessions } = this.#database.stores
    for (const { id, isErased } of await realtimeSessions.endRequested(this.#instanceId))
      this.#running.get(id)?.end('terminated', isErased ? endedByErasure : endedByOperator)
  }

  /**
   * Renews the lease of this instance, and ends the sessions of instances with expired leases. Returns
   * whether it checked for expired leases. After it has reconnected to the database, it skips this check for
   * the duration of a lease. Other instances may have been disconnected as well and need this time to renew
   * their leases.
   */
  async keepLease(): Promise<boolean> {
    const { instanceLeases } = this.#database.stores
    // The lease is renewed three times as often as necessary. If two renewals were missed, this instance was
    // disconnected.
    const unbrokenSeconds = (this.#leaseSeconds * 2) / 3
    if (!(await instanceLeases.renew(this.#instanceId, unbrokenSeconds))) this.#connectedSince = null
    if (this.#connectedSince === null) {
      await this.#endGivenUp()
      this.#connectedSince = this.#timers.monotonic()
    }
    if (this.#timers.monotonic() - this.#connectedSince < this.#leaseSeconds * 1000) return false
    await this.#closeLost()
    await this.#closeOrphaned()
    return true
  }

  /** Moves sessions to instances with fewer. Must be called every few seconds. */
  spread(): Promise<void> {
    return this.#spread.poll([...this.#running.values()])
  }

  /** For installations with a single instance: ends the sessions of earlier processes immediately. */
  async takeOver(): Promise<void> {
    await this.#database.stores.instanceLeases.releaseOthers(this.#instanceId)
    await this.#closeLost()
  }

  /**
   * Ends sessions between turns until the deadline, then ends the others, and waits until everything is stored. The wait is
   * limited, because neither an unavailable database nor a hanging tool may block the shutdown. Returns whether everything
   * is stored.
   */
  async drain(milliseconds: number, { onlyActive = false }: DrainOptions = {}): Promise<boolean> {
    // Without it, other instances would only compare their sessions with an instance that is leaving.
    void this.#database.stores.instanceLeases.markDraining(this.#instanceId).catch(() => undefined)
    const cancel = this.#timers.after(milliseconds, () => {
      this.#isDrainOver = true
      for (const session of this.#running.values()) endForDrain(session)
    })
    const endSilent = () => {
      for (const session of this.#silent()) endForDrain(session)
    }
    const cancelPoll = this.#poll(onlyActive ? endSilent : this.#releaseInTurns(milliseconds))
    const isStored = await this.#allDone(milliseconds + storeGraceMilliseconds)
    cancel()
    cancelPoll()
    if (!isStored)
      this.#dependencies.log.error(
        { sessions: this.#running.size },
        'the database is unavailable, or tools are still running; their unsaved data is lost',
      )
    return isStored
  }

  /**
   * Returns a function that announces the end to the next few sessions, and ends those that have had the time to prepare.
   * The clients of all sessions at once would overload an instance that has just started, and their tickets would expire
   * in a long shutdown.
   */
  #releaseInTurns(milliseconds: number): () => void {
    const deadline = this.#timers.monotonic() + milliseconds
    const announcedAt = new Map<RealtimeSession, number>()
    // At this pace all of them have ended after half of the time.
    const polls = (milliseconds / 2 - prepareMilliseconds) / silentPollMilliseconds
    const share = Math.ceil(this.count / Math.max(polls, 1))
    return () => {
      const now = this.#timers.monotonic()
      const isPrepared = (session: RealtimeSession) =>
        now - (announcedAt.get(session) ?? now) >= prepareMilliseconds
      for (const session of this.#silent().filter(isPrepared).slice(0, share)) endForDrain(session)
      const others = [...this.#running.values()].filter((session) => !announcedAt.has(session))
      for (const session of others.slice(0, share)) {
        session.announceMove(Math.max(0, Math.ceil((deadline - now) / 1000)))
        announcedAt.set(session, now)
      }
    }
  }

  /** Calls a function now and again and again. Returns a function that stops this. */
  #poll(step: () => void): () => void {
    let cancel: () => void = () => undefined
    const next = () => {
      step()
      cancel = this.#timers.after(silentPollMilliseconds, next)
    }
    next()
    return () => cancel()
  }

  /**
   * Must be called when this instance no longer runs sessions, because otherwise other instances would end
   * them.
   */
  async releaseLease(): Promise<void> {
    await this.#database.stores.instanceLeases.release(this.#instanceId)
  }

  /**
   * Ends sessions that other instances have taken over. Calls that ran here already have an outcome, and
   * waiting calls may continue elsewhere. The client gets an error with the request to reconnect with a new
   * session.
   */
  async #endGivenUp(): Promise<void> {
    if (this.#running.size === 0) return
    for (const id of await this.#database.stores.realtimeSessions.givenUp([...this.#running.keys()]))
      this.#running
        .get(id)
        ?.end(
          'draining',
          'This instance lost the connection to its database. Continue the conversation in a new session.',
        )
  }

  async #closeLost(): Promise<void> {
    const lost = await this.#database.stores.instanceLeases.closeLost(this.#leaseSeconds)
    if (lost > 0) this.#dependencies.log.warn({ sessions: lost }, 'sessions of a stopped instance were ended')
  }

  /**
   * Ends sessions that are stored as running here but do not run. Otherwise, they would stay open as long as
   * this instance lives. Such sessions are rare, and finding them requires the ids of all running sessions,
   * so only some renewals do it.
   */
  async #closeOrphaned(): Promise<void> {
    const now = this.#timers.monotonic()
    if (now - this.#lastOrphanCheckAt < (forgottenSeconds * 1000) / 2) return
    this.#lastOrphanCheckAt = now
    const { instanceLeases } = this.#database.stores
    const runningIds = [...this.#running.keys()]
    const closed = await instanceLeases.closeOrphaned(this.#instanceId, runningIds, forgottenSeconds)
    if (closed > 0)
      this.#dependencies.log.warn({ sessions: closed }, 'sessions without an instance were ended')
  }

  #silent(): RealtimeSession[] {
    return [...this.#running.values()].filter(({ isTalking, isEnded }) => !isTalking && !isEnded)
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
