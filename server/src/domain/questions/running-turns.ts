import type { TurnRecord } from '../../ports/turn-store.js'
import type { AcceptQuestionDependencies } from './accept-question.js'
import { closeLostTurns } from './close-lost-turns.js'
import type { FollowDependencies } from './follow-turn.js'
import { RunningTurn, type RunningTurnDependencies } from './running-turn.js'
import type { StartOutcome } from './start-turn.js'
import { startedEvent } from './stored-events.js'

/** How long the last answers may take to be stored after the last turn was ended. */
const storeGraceMilliseconds = 10_000

export interface RunningTurnsDependencies extends RunningTurnDependencies {
  readonly instanceId: string
}

/** What it takes to ask agents in text. */
export interface Questions extends AcceptQuestionDependencies, FollowDependencies {
  readonly running: RunningTurns
}

/** The turns that this instance answers: those of one conversation one after the other, in the order they were asked. */
export class RunningTurns {
  readonly #dependencies: RunningTurnsDependencies
  readonly #queued = new Map<string, RunningTurn>()
  readonly #running = new Map<string, RunningTurn>()
  readonly #arriving = new Set<Promise<unknown>>()
  #isOver = false
  #onIdle: () => void = () => undefined

  constructor(dependencies: RunningTurnsDependencies) {
    this.#dependencies = dependencies
  }

  get count(): number {
    return this.#queued.size + this.#running.size
  }

  /** Takes note of a question that is about to be stored: draining waits for it. */
  expect(arrival: Promise<unknown>): void {
    this.#arriving.add(arrival)
    const forget = () => {
      this.#arriving.delete(arrival)
      this.#checkIdle()
    }
    arrival.then(forget, forget)
  }

  /** Takes a question that is stored, and answers it when its turn comes; one that is not is let go again. */
  take(turn: TurnRecord): void {
    const run = new RunningTurn(this.#dependencies, turn)
    this.#queued.set(turn.id, run)
    this.#dependencies.feeds.publish(turn.id, [startedEvent(turn)])
    if (this.#isOver) run.interrupt('draining')
    void this.#advance(turn.id, run)
  }

  /** Starts what can start and stops what is to stop, whoever asked for it and wherever. */
  async poll(): Promise<void> {
    if (this.count === 0) return
    const { turns } = this.#dependencies.database.stores
    for (const id of await turns.stopRequested([...this.#queued.keys(), ...this.#running.keys()]))
      (this.#queued.get(id) ?? this.#running.get(id))?.interrupt('stopped')
    for (const [id, run] of this.#queued) void this.#advance(id, run)
  }

  /** Closes the books of turns whose instance is gone. */
  closeLost(leaseSeconds: number): Promise<number> {
    return closeLostTurns(this.#dependencies, leaseSeconds)
  }

  /** Lets turns finish until the deadline, ends the rest, and waits until everything is stored, but not for ever. */
  async drain(milliseconds: number): Promise<boolean> {
    const { timers, log, feeds } = this.#dependencies
    const cancel = timers.after(milliseconds, () => {
      this.#isOver = true
      for (const run of this.#running.values()) run.interrupt('draining')
      for (const [id, run] of this.#queued) {
        run.interrupt('draining')
        void this.#advance(id, run)
      }
    })
    const idle = new Promise<void>((resolve) => {
      this.#onIdle = resolve
    })
    this.#checkIdle()
    await timers.within(milliseconds + storeGraceMilliseconds, idle)
    cancel()
    feeds.end()
    if (this.count > 0) log.error({ turns: this.count }, 'the database is away; answers could not be stored')
    return this.count === 0
  }

  async #advance(id: string, run: RunningTurn): Promise<void> {
    if (!this.#queued.has(id)) return
    if (!run.isInterrupted) {
      const outcome = await this.#tryStart(id, run)
      // This instance was taken for dead, and the turn was ended in its place; or it was never stored.
      if (outcome === 'over') {
        this.#queued.delete(id)
        this.#dependencies.feeds.close(id)
        this.#checkIdle()
      }
      if (outcome === 'waiting' && !run.isInterrupted) return
    }
    if (!this.#queued.delete(id)) return
    this.#running.set(id, run)
    await run.answer()
    this.#running.delete(id)
    this.#checkIdle()
    this.#wakeNext(run.conversationId)
  }

  async #tryStart(turnId: string, run: RunningTurn): Promise<StartOutcome> {
    try {
      return await run.tryStart()
    } catch (error) {
      this.#dependencies.log.warn({ err: error, turnId }, 'a turn could not be started; it is tried again')
      return 'waiting'
    }
  }

  #checkIdle(): void {
    if (this.count + this.#arriving.size === 0) this.#onIdle()
  }

  /** The next question of the conversation may be here; if it is elsewhere, that instance finds out by itself. */
  #wakeNext(conversationId: string): void {
    for (const [id, run] of this.#queued)
      if (run.conversationId === conversationId) void this.#advance(id, run)
  }
}
