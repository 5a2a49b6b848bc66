import type { TurnRecord } from '../../ports/conversation-stores.js'
import type { DrainOptions } from '../durability/drain-options.js'
import { RunningTurn, type RunningTurnDependencies, type StartOutcome } from './running-turn.js'
import { closeLostTurns } from './turn-end.js'
import { startedEvent } from './turn-records.js'

/** How long answers may take to be stored after the last turn has ended. */
const storeGraceMilliseconds = 10_000

/** How often an instance that is shutting down checks whether a waiting turn has lost its last follower. */
const waitingPollMilliseconds = 250

interface RunningTurnsDependencies extends RunningTurnDependencies {
  readonly instanceId: string
  /**
   * The maximum number of an organization's turns that run concurrently on this instance. Others wait in
   * order of arrival.
   */
  readonly maxRunningPerOrganization: number
}

/** An attempt at a task on this instance. */
interface RunningAttempt {
  readonly turnId: string
  readonly organizationId: string
  /** Whether the attempt only waits for approval. */
  readonly isOnlyWaiting: boolean
}

/**
 * The turns that this instance answers. The turns of a conversation run one after the other, in the order of
 * their questions. Each organization has its own slots, so that organizations do not delay each other.
 */
export class RunningTurns {
  readonly #dependencies: RunningTurnsDependencies
  readonly #slots: TurnSlots
  readonly #queued = new Map<string, RunningTurn>()
  readonly #running = new Map<string, RunningTurn>()
  readonly #arriving = new Set<Promise<unknown>>()
  #isOver = false
  #onAttemptOver: () => void = () => undefined
  #onIdle: () => void = () => undefined

  constructor(dependencies: RunningTurnsDependencies) {
    this.#dependencies = dependencies
    this.#slots = new TurnSlots(dependencies.maxRunningPerOrganization)
  }

  get count(): number {
    return this.#queued.size + this.#running.size
  }

  /** The number of queued database writes of all turns. */
  get waitingWrites(): number {
    return [...this.#queued.values(), ...this.#running.values()].reduce(
      (sum, turn) => sum + turn.waitingWrites,
      0,
    )
  }

  /** Returns whether a turn of the organization waits or runs here. */
  holdsWorkOf(organizationId: string): boolean {
    return [...this.#queued.values(), ...this.#running.values()].some(
      (turn) => turn.organizationId === organizationId,
    )
  }

  /**
   * Returns the number of turns that only wait for approval. Draining with the same options does not wait for
   * them.
   */
  waitingCount(options: DrainOptions = {}): number {
    return this.#onlyWaiting(options).length
  }

  /** The attempts at tasks on this instance. */
  get attempts(): readonly RunningAttempt[] {
    return [...this.#queued, ...this.#running].flatMap(([turnId, turn]) => {
      const { organizationId, isAttempt, isOnlyWaiting } = turn
      return isAttempt ? [{ turnId, organizationId, isOnlyWaiting }] : []
    })
  }

  /** The listener is called when an attempt at a task ends here and frees a slot. */
  onAttemptOver(listener: () => void): void {
    this.#onAttemptOver = listener
  }

  /** Ends an attempt whose task has exceeded its deadline. */
  endOverdue(turnId: string): void {
    const turn = this.#queued.get(turnId) ?? this.#running.get(turnId)
    turn?.interrupt('overdue')
    if (turn !== undefined) this.#startNext(turn.organizationId)
  }

  /** Registers a question that is about to be stored, so that draining waits for it. */
  expect(arrival: Promise<unknown>): void {
    this.#arriving.add(arrival)
    const forget = () => {
      this.#arriving.delete(arrival)
      this.#checkIdle()
    }
    arrival.then(forget, forget)
  }

  /**
   * Answers a stored question when it is the next one in its conversation. If the question turns out not to
   * be stored, it is dropped.
   */
  take(record: TurnRecord): void {
    const turn = new RunningTurn(this.#dependencies, record)
    this.#queued.set(record.id, turn)
    this.#dependencies.feeds.publish(record.id, [startedEvent(record)])
    if (this.#isOver) turn.interrupt('draining')
    // The turn that starts may belong to another request, so this runs outside the span of the current
    // request.
    this.#dependencies.tracing.apart(() => this.#startNext(record.organizationId))
  }

  /** Starts turns that can start, and stops turns for which a stop was requested on any instance. */
  async poll(): Promise<void> {
    if (this.count === 0) return
    const { turns } = this.#dependencies.database.stores
    const held = [...this.#queued.keys(), ...this.#running.keys()]
    for (const { id, isErased } of await turns.stopRequested(held))
      (this.#queued.get(id) ?? this.#running.get(id))?.interrupt(isErased ? 'erased' : 'stopped')
    this.#slots.forgetWaiting()
    for (const organizationId of new Set([...this.#queued.values()].map((turn) => turn.organizationId)))
      this.#startNext(organizationId)
  }

  /** Ends the turns of instances that have stopped. */
  closeLost(leaseSeconds: number): Promise<number> {
    return closeLostTurns(this.#dependencies, leaseSeconds)
  }

  /**
   * Lets turns finish until the deadline, ends the others, and waits for a limited time until everything is
   * stored. A turn that only waits for approval is ended immediately unless a client follows it, because the
   * approval outlives the turn and can be decided later.
   */
  async drain(milliseconds: number, options: DrainOptions = {}): Promise<boolean> {
    const { timers, log, feeds } = this.#dependencies
    let cancelPoll: () => void = () => undefined
    const endWaiting = () => {
      for (const turn of this.#onlyWaiting(options)) turn.interrupt('draining')
      cancelPoll = timers.after(waitingPollMilliseconds, endWaiting)
    }
    endWaiting()
    const cancel = timers.after(milliseconds, () => {
      this.#isOver = true
      for (const turn of this.#running.values()) turn.interrupt('draining')
      for (const [id, turn] of this.#queued) {
        turn.interrupt('draining')
        void this.#advance(id, turn)
      }
    })
    const idle = new Promise<void>((resolve) => {
      this.#onIdle = resolve
    })
    this.#checkIdle()
    await timers.within(milliseconds + storeGraceMilliseconds, idle)
    cancel()
    cancelPoll()
    feeds.end()
    if (this.count > 0)
      log.error({ turns: this.count }, 'the database is unavailable; answers could not be stored')
    return this.count === 0
  }

  /**
   * Starts the first turn of each conversation while slots are free. A turn that waits for a question on
   * another instance is not tried again before the next poll.
   */
  #startNext(organizationId: string): void {
    const first = new Map<string, readonly [string, RunningTurn]>()
    for (const [id, turn] of this.#queued) {
      if (turn.organizationId !== organizationId) continue
      if (turn.isInterrupted) {
        void this.#advance(id, turn)
        continue
      }
      const rival = first.get(turn.conversationId)?.[1]
      if (rival === undefined || turn.position < rival.position) first.set(turn.conversationId, [id, turn])
    }
    for (const [id, turn] of first.values())
      if (this.#slots.take(organizationId, id)) void this.#advance(id, turn)
  }

  async #advance(id: string, turn: RunningTurn): Promise<void> {
    if (!this.#queued.has(id)) return
    const { organizationId, conversationId } = turn
    if (!turn.isInterrupted) {
      const outcome = await this.#tryStart(id, turn)
      // Another instance considered this one dead and has ended the turn, or the turn was never stored.
      if (outcome === 'over') {
        this.#queued.delete(id)
        this.#dependencies.feeds.close(id, organizationId)
        this.#checkIdle()
      }
      if (outcome === 'over' || (outcome === 'waiting' && !turn.isInterrupted)) {
        this.#slots.release(organizationId, id, outcome === 'waiting')
        return this.#startNext(organizationId)
      }
    }
    if (!this.#queued.delete(id)) return
    this.#running.set(id, turn)
    await turn.answer()
    this.#running.delete(id)
    this.#slots.release(organizationId, id)
    if (turn.isAttempt) this.#onAttemptOver()
    this.#checkIdle()
    this.#slots.forgetWaiting(this.#queuedOf(conversationId))
    this.#startNext(organizationId)
  }

  async #tryStart(turnId: string, turn: RunningTurn): Promise<StartOutcome['kind']> {
    try {
      return await turn.tryStart()
    } catch (error) {
      this.#dependencies.log.warn(
        { err: error, turnId, organizationId: turn.organizationId },
        'a turn could not be started; retrying',
      )
      return 'waiting'
    }
  }

  #onlyWaiting({ onlyActive = false }: DrainOptions): RunningTurn[] {
    const { feeds } = this.#dependencies
    return [...this.#running]
      .filter(([id, turn]) => turn.isOnlyWaiting && (onlyActive || !feeds.isFollowed(id)))
      .map(([, turn]) => turn)
  }

  #checkIdle(): void {
    if (this.count + this.#arriving.size === 0) this.#onIdle()
  }

  /**
   * Returns the conversation's questions that are queued here. Other instances notice the end of a turn by
   * themselves.
   */
  #queuedOf(conversationId: string): string[] {
    return [...this.#queued].filter(([, turn]) => turn.conversationId === conversationId).map(([id]) => id)
  }
}

/** The slots for running turns on this instance. Each organization has its own slots. */
class TurnSlots {
  readonly #perOrganization: number
  readonly #taken = new Map<string, Set<string>>()
  /**
   * Turns that cannot start before another event, such as the end of an earlier turn. They use no slot until
   * then.
   */
  readonly #waiting = new Set<string>()

  constructor(perOrganization: number) {
    this.#perOrganization = perOrganization
  }

  /** Acquires a slot for the turn. Returns false if no slot is free, or if the turn already has one. */
  take(organizationId: string, turnId: string): boolean {
    const taken = this.#taken.get(organizationId) ?? new Set()
    if (taken.size >= this.#perOrganization || taken.has(turnId) || this.#waiting.has(turnId)) return false
    this.#taken.set(organizationId, taken.add(turnId))
    return true
  }

  /** `isWaiting`: the turn could not start yet. */
  release(organizationId: string, turnId: string, isWaiting = false): void {
    const taken = this.#taken.get(organizationId)
    taken?.delete(turnId)
    if (taken?.size === 0) this.#taken.delete(organizationId)
    if (isWaiting) this.#waiting.add(turnId)
    else this.#waiting.delete(turnId)
  }

  /** Allows these turns, or all turns if none are given, to try again. */
  forgetWaiting(turnIds: Iterable<string> = [...this.#waiting]): void {
    for (const id of turnIds) this.#waiting.delete(id)
  }
}
