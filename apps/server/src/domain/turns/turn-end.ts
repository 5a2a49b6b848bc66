import type { Clock } from '../../ports/clock.js'
import type { TurnRecord } from '../../ports/turn-store.js'
import type { MessagePositions } from '../conversations/message-positions.js'
import { systemCaller } from '../system-caller.js'
import type { TaskRunSettings } from '../tasks/run-plan.js'
import { type AttemptOutcome, settleAttempt } from '../tasks/settle-attempt.js'
import { answerEvent, completedEvent, createdEvent, errorEvent } from './turn-events.js'
import type { InterruptedEnd } from './turn-interruption.js'
import type { TurnLog } from './turn-log.js'
import { answerMessage, questionMessage } from './turn-messages.js'
import { turnUse } from './turn-use.js'

const unknownOutcome = 'The turn ended while the tool ran; its outcome is unknown.'

interface AnswerGiven {
  /** What was said. */
  readonly text: string
}

/** What came of a turn: what was said, and why it is not all where it is not. */
export type TurnOutcome = (AnswerGiven & { readonly state: 'completed' }) | (AnswerGiven & InterruptedEnd)

export interface EndingTurn {
  readonly turn: TurnRecord
  readonly outcome: TurnOutcome
  /** Whether its question is stored as a message already. */
  readonly hasStarted: boolean
  readonly positions: MessagePositions
}

export interface EndTurnDependencies {
  readonly clock: Clock
  readonly taskSettings: TaskRunSettings
}

/**
 * Writes down how a turn ended, and with it the attempt that it may have been. Question, tools, then the answer: its
 * position is where it ends.
 */
export function endTurn(
  { clock, taskSettings }: EndTurnDependencies,
  log: TurnLog,
  { turn, outcome, hasStarted, positions }: EndingTurn,
): void {
  const { state, text } = outcome
  const failure = outcome.state === 'completed' ? null : outcome.failure
  // A question whose turn never came is kept as well.
  const question = hasStarted ? null : questionMessage(turn, positions.next())
  const answer = answerMessage(turn, positions.next(), { text, failure })
  const events = [
    ...(question === null ? [] : [createdEvent(turn, question.createdAt)]),
    answerEvent(turn),
    outcome.state === 'completed' ? completedEvent(turn) : errorEvent(outcome.code, outcome.failure),
  ]
  log.end(turn.conversationId, events, async (stores, { positionMicroseconds, task }) => {
    const at = clock.now().toISOString()
    // What never started has no time of its own that others would agree to.
    const moved = { updatedAt: at, ...(question !== null && { positionMicroseconds }) }
    if (question !== null) await stores.conversations.addMessage({ ...question, ...moved })
    await stores.conversations.addMessage({ ...answer, ...moved })
    if (state !== 'completed') await stores.conversations.failRunningCalls(turn.id, unknownOutcome, at)
    // Its steps are in by now: they were written before, in order.
    const used = await turnUse(stores, turn.id)
    const end = { state, answer: answer.content, failure: answer.failure, ...used }
    await stores.turns.end(turn.id, end, at)
    // What came to nothing may be asked again under the same key.
    if (state === 'failed' && turn.idempotencyKey !== null)
      await stores.idempotency.forget(turn.organizationId, turn.idempotencyKey)
    if (task === null) return
    const scope = { stores, caller: systemCaller(turn.organizationId) }
    const attempt = { task, turnId: turn.id, outcome: attemptOutcomeOf(outcome, answer.content) }
    await settleAttempt({ clock, settings: taskSettings }, scope, attempt)
  })
}

function attemptOutcomeOf(outcome: TurnOutcome, answer: string): AttemptOutcome {
  if (outcome.state === 'completed') return { kind: 'answered', answer }
  const { cause, failure, isWaiting } = outcome
  switch (cause) {
    case 'stopped':
    case 'overdue':
      return { kind: cause }
    case 'draining':
      return { kind: 'drained', isWaiting }
    default:
      return { kind: 'failed', failure, isWaiting }
  }
}
