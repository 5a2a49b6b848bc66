import type { TurnErrorCode } from '@parley/contract'
import type { TurnEnd } from '../../ports/turn-store.js'

/**
 * Why a turn is interrupted: a caller stopped it, the task that it works at has passed its deadline, the instance drains,
 * too much waits to be stored, or this instance was taken for dead and another one has ended the turn.
 */
export type InterruptionReason = 'stopped' | 'overdue' | 'draining' | 'overflow' | 'lost'

/** How far the turn was: its question in the queue, its answer under way, or one of its calls waiting for approval. */
export type InterruptionPoint = 'queue' | 'answer' | 'approval'

export interface InterruptedEnd {
  readonly state: Exclude<TurnEnd['state'], 'completed'>
  readonly code: TurnErrorCode
  readonly failure: string
  /** Null where nobody has interrupted it: the service itself failed. */
  readonly cause: InterruptionReason | null
  /** Whether a call waited for a person: it outlives the turn. */
  readonly isWaiting: boolean
}

/**
 * The approval outlives the turn, and asking again would lead to the same call a second time. True before the decision
 * and after it: the message stays.
 */
export const callOutlivesTurn =
  'Once that is decided the call is run or closed, and the next question knows what came of it.'

type WordedEnd = Omit<InterruptedEnd, 'cause' | 'isWaiting'>

const ends: Readonly<Record<Exclude<InterruptionReason, 'draining'>, WordedEnd>> = {
  stopped: { state: 'stopped', code: 'turn_stopped', failure: 'The turn was stopped.' },
  overdue: { state: 'failed', code: 'turn_stopped', failure: 'The time for this run of the task is over.' },
  overflow: {
    state: 'failed',
    code: 'internal',
    failure: 'The service could not store the answer. Ask again.',
  },
  lost: {
    state: 'failed',
    code: 'interrupted',
    failure: 'The service was taken for dead while it answered.',
  },
}

const drainedFailures: Readonly<Record<InterruptionPoint, string>> = {
  queue: 'The service was shut down before this question was answered. Ask again.',
  answer: 'The service was shut down while it answered. Ask again.',
  approval: `The service was shut down while a call waited for approval. ${callOutlivesTurn}`,
}

const internalFailure: WordedEnd = {
  state: 'failed',
  code: 'internal',
  failure: 'The service failed. The operator can find the reason in the log.',
}

/** Ends a turn before its answer is complete; the first reason counts. */
export class TurnInterruption {
  readonly #controller = new AbortController()
  #reason: InterruptionReason | null = null

  /** Aborts when the turn is interrupted. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  get reason(): InterruptionReason | null {
    return this.#reason
  }

  interrupt(reason: InterruptionReason): void {
    this.#reason ??= reason
    this.#controller.abort()
  }

  /** How the turn ends at this point. Where nobody has interrupted it, it ends because the service itself failed. */
  endAt(point: InterruptionPoint): InterruptedEnd {
    const known = { cause: this.#reason, isWaiting: point === 'approval' }
    if (this.#reason === null) return { ...internalFailure, ...known }
    if (this.#reason === 'draining')
      return { state: 'failed', code: 'interrupted', failure: drainedFailures[point], ...known }
    return { ...ends[this.#reason], ...known }
  }
}
