import type { StoredTurnEvent, TurnRecord } from '../../ports/conversation-stores.js'
import type { Database, Stores } from '../../ports/database.js'
import type { Clock, Timers } from '../../ports/time.js'
import type { Span, TraceHeaders, Tracing } from '../../ports/tracing.js'
import { MessagePositions } from '../conversations/message-positions.js'
import { callsWithin } from '../tools/calls/observed-calls.js'
import { TurnAnswer, type TurnAnswerDependencies } from './turn-answer.js'
import {
  type EndTurnDependencies,
  endTurn,
  type InterruptionReason,
  TurnInterruption,
  type TurnOutcome,
} from './turn-end.js'
import { TurnLog, type TurnLogDependencies } from './turn-log.js'
import { createdEvent, questionMessage, turnFields } from './turn-records.js'

export interface RunningTurnDependencies
  extends TurnAnswerDependencies,
    TurnLogDependencies,
    EndTurnDependencies {
  readonly tracing: Tracing
}

type State =
  /** `mayHaveStarted`: an attempt to start failed, but may have been committed. */
  | { readonly phase: 'queued'; readonly mayHaveStarted: boolean }
  | { readonly phase: 'starting'; readonly attempt: Promise<StartOutcome['kind']> }
  | { readonly phase: 'running'; readonly start: TurnStart }
  | { readonly phase: 'ended' }

/**
 * One question and its answer, from start to end. A turn continues even if no client follows it.
 *
 *   queued ──tryStart()──► starting ──it is next──► running ──answer()──► ended
 *     ▲ │                    │   └──ended elsewhere───────────────────────► ended
 *     └─┼──waiting, failed───┘
 *       └──interrupt(reason), answer()────────────────────────────────────► ended
 *
 * A turn that is interrupted while it runs is ended by the call of answer() in progress.
 */
export class RunningTurn {
  readonly #dependencies: RunningTurnDependencies
  readonly #turn: TurnRecord
  readonly #log: TurnLog
  readonly #interruption = new TurnInterruption()
  /** The trace headers of the parent span, which is the request with the question. */
  readonly #parent: TraceHeaders
  #inProgress: TurnAnswer | null = null
  #state: State = { phase: 'queued', mayHaveStarted: false }

  constructor(dependencies: RunningTurnDependencies, turn: TurnRecord) {
    this.#dependencies = dependencies
    this.#turn = turn
    this.#parent = dependencies.tracing.headers()
    this.#log = new TurnLog(dependencies, turn, {
      onFull: () => this.interrupt('overflow'),
      onEndedElsewhere: () => this.interrupt('lost'),
    })
  }

  get isInterrupted(): boolean {
    return this.#interruption.reason !== null
  }

  /** Whether everything left in the turn is calls that wait for approval and outlive the turn. */
  get isOnlyWaiting(): boolean {
    return !this.isInterrupted && this.#inProgress?.isOnlyWaiting === true
  }

  get organizationId(): string {
    return this.#turn.organizationId
  }

  /** Whether the turn is an attempt at a task. */
  get isAttempt(): boolean {
    return this.#turn.taskId !== null
  }

  /** The position of its question in the conversation. */
  get position(): number {
    return this.#turn.position
  }

  get waitingWrites(): number {
    return this.#log.waitingWrites
  }

  get conversationId(): string {
    return this.#turn.conversationId
  }

  /**
   * Starts the turn if it is the next one in its conversation. Rejects if the database is unavailable. The
   * caller then tries again.
   */
  async tryStart(): Promise<StartOutcome['kind']> {
    // A start that is already in progress may have read the queue before the previous question ended.
    await this.#attemptSettled()
    // Read after the wait: the first of several callers has begun a start, which the others share.
    const state = this.#state
    switch (state.phase) {
      case 'queued': {
        const attempt = this.#start(state.mayHaveStarted)
        this.#state = { phase: 'starting', attempt }
        return attempt
      }
      case 'starting':
        return state.attempt
      case 'running':
        return 'started'
      case 'ended':
        return 'over'
    }
  }

  /**
   * Answers the question, or ends the turn if it was interrupted. Settles when the end is stored. Never
   * rejects.
   */
  async answer(): Promise<void> {
    const { metrics, log } = this.#dependencies
    metrics.turnStarted()
    // An interruption does not cancel a start in progress, so its outcome decides.
    await this.#attemptSettled()
    const state = this.#state
    const outcome = state.phase === 'running' ? await this.#answer(state.start) : this.#endUnstarted()
    this.#state = { phase: 'ended' }
    await this.#log.settled()
    metrics.turnEnded(outcome.state)
    log.info({ ...turnFields(this.#turn), state: outcome.state }, 'turn ended')
  }

  interrupt(reason: InterruptionReason): void {
    this.#interruption.interrupt(reason)
  }

  /** Settles when no start is in progress. */
  async #attemptSettled(): Promise<void> {
    if (this.#state.phase === 'starting') await this.#state.attempt.catch(() => undefined)
  }

  async #start(mayHaveStarted: boolean): Promise<StartOutcome['kind']> {
    try {
      const outcome = await startTurn(this.#dependencies, this.#turn, mayHaveStarted)
      this.#state = this.#stateAfter(outcome)
      return outcome.kind
    } catch (error) {
      this.#state = { phase: 'queued', mayHaveStarted: true }
      throw error
    }
  }

  #stateAfter(outcome: StartOutcome): State {
    switch (outcome.kind) {
      case 'started':
        this.#log.resumeAfter(outcome.event.sequence)
        this.#dependencies.feeds.publish(this.#turn.id, [outcome.event])
        return { phase: 'running', start: outcome.start }
      case 'waiting':
        return { phase: 'queued', mayHaveStarted: false }
      case 'over':
        return { phase: 'ended' }
    }
  }

  async #answer(start: TurnStart): Promise<TurnOutcome> {
    const positions = this.#positionsAfter(start)
    const span = this.#beginSpan()
    const calls = callsWithin(span, this.#dependencies.calls)
    const answer = new TurnAnswer(
      { ...this.#dependencies, calls },
      {
        turn: this.#turn,
        startedAt: start.monotonic,
        positions,
        log: this.#log,
        interruption: this.#interruption,
        span,
      },
    )
    this.#inProgress = answer
    const outcome = await span.run(() => answer.run())
    const failure = outcome.state === 'failed' ? outcome.code : null
    span.set({ 'parley.turn.state': outcome.state, 'error.type': failure ?? undefined })
    span.end(failure)
    this.#inProgress = null
    endTurn(this.#dependencies, this.#log, { turn: this.#turn, outcome, hasStarted: true, positions })
    return outcome
  }

  #beginSpan(): Span {
    const { id, agentId, conversationId, organizationId, taskId, endUserId } = this.#turn
    return this.#dependencies.tracing.begin({
      name: 'invoke_agent',
      kind: 'internal',
      parent: this.#parent,
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.id': agentId,
        'gen_ai.output.type': 'text',
        'gen_ai.conversation.id': conversationId,
        'parley.turn.id': id,
        'parley.task.id': taskId ?? undefined,
        'enduser.id': endUserId ?? undefined,
        'parley.organization.id': organizationId,
      },
    })
  }

  #endUnstarted(): TurnOutcome {
    const { clock, timers } = this.#dependencies
    const now = { microseconds: clock.now().getTime() * 1000, monotonic: timers.monotonic() }
    const positions = this.#positionsAfter(now)
    const outcome = { ...this.#interruption.endAt('queue'), text: '' }
    endTurn(this.#dependencies, this.#log, { turn: this.#turn, outcome, hasStarted: false, positions })
    return outcome
  }

  #positionsAfter({ microseconds, monotonic }: TurnStart): MessagePositions {
    const { timers } = this.#dependencies
    return new MessagePositions({ startMicroseconds: microseconds, startedAt: monotonic, timers })
  }
}

/**
 * The database's time at the start of the turn, and the monotonic time at that moment. Positions are computed
 * from both.
 */
interface TurnStart {
  readonly microseconds: number
  readonly monotonic: number
}

export type StartOutcome =
  | { readonly kind: 'started'; readonly start: TurnStart; readonly event: StoredTurnEvent }
  /** An earlier question of the conversation has no answer yet. */
  | { readonly kind: 'waiting' }
  /** Another process has ended the turn, or it was never stored. */
  | { readonly kind: 'over' }

interface StartTurnDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly timers: Timers
}

/**
 * Starts a turn if it is the next one, and stores its question. `mayHaveStarted`: an earlier attempt failed,
 * but may have been committed.
 */
async function startTurn(
  { database, clock, timers }: StartTurnDependencies,
  turn: TurnRecord,
  mayHaveStarted: boolean,
): Promise<StartOutcome> {
  const start = async (stores: Stores): Promise<StartOutcome> => {
    await stores.conversations.lock(turn.conversationId)
    const microseconds = await stores.turns.start(turn.id, clock.now().toISOString())
    if (microseconds === null) {
      const current = await stores.turns.find(turn.organizationId, turn.conversationId, turn.id)
      return { kind: current?.endedAt === null ? 'waiting' : 'over' }
    }
    // Read after the lock was acquired, because positions ahead of the database's time would sort after the
    // next question.
    const monotonic = timers.monotonic()
    const message = questionMessage(turn, { microseconds, counter: 0 })
    const created = { sequence: 2, event: JSON.stringify(createdEvent(turn, message.createdAt)) }
    await stores.conversations.addMessage(message)
    await stores.turns.addEvents(turn.id, [created])
    // The event of the first attempt stays, because followers may have received it already.
    const [event = created] = mayHaveStarted ? await stores.turns.eventsAfter(turn.id, 1, 1) : []
    return { kind: 'started', start: { microseconds, monotonic }, event }
  }
  const { organizationId } = turn
  return database.runFairly({ organizationId, kind: 'log' }, () => database.transaction(start))
}
