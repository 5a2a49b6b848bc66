import { ToolStatus, type TurnErrorCode, type TurnEvent } from '@parley/contract'
import type { StoredTurnEvent, TurnEnd, TurnRecord } from '../../ports/conversation-stores.js'
import type { Database, Stores } from '../../ports/database.js'
import type { Log } from '../../ports/log.js'
import type { TaskRecord } from '../../ports/task-stores.js'
import type { Clock } from '../../ports/time.js'
import { systemCaller } from '../caller-scope.js'
import type { MessagePositions } from '../conversations/message-positions.js'
import type { TaskRunSettings } from '../tasks/run-plan.js'
import { type AttemptOutcome, settleAttempt } from '../tasks/settle-attempt.js'
import type { TurnLog } from './turn-log.js'
import {
  answerEvent,
  answerMessage,
  completedEvent,
  createdEvent,
  errorEvent,
  numberedAfter,
  outputOf,
  questionMessage,
  turnUse,
} from './turn-records.js'

const unknownOutcome = 'The turn ended while the tool was running, so its outcome is unknown.'

interface AnswerGiven {
  /** The text of the answer. */
  readonly text: string
}

/** The outcome of a turn: its text, and the reason if it is incomplete. */
export type TurnOutcome = (AnswerGiven & { readonly state: 'completed' }) | (AnswerGiven & InterruptedEnd)

interface EndingTurn {
  readonly turn: TurnRecord
  readonly outcome: TurnOutcome
  /** Whether the question is already stored as a message. */
  readonly hasStarted: boolean
  readonly positions: MessagePositions
}

export interface EndTurnDependencies {
  readonly clock: Clock
  readonly taskSettings: TaskRunSettings
}

/**
 * Stores the end of a turn and settles its attempt, if it has one. Messages are stored in the order question,
 * tools, answer. The answer's position is the end of the turn.
 */
export function endTurn(
  { clock, taskSettings }: EndTurnDependencies,
  log: TurnLog,
  { turn, outcome, hasStarted, positions }: EndingTurn,
): void {
  const { state, text } = outcome
  const failure = outcome.state === 'completed' ? null : outcome.failure
  // The question of a turn that never started is stored as well.
  const question = hasStarted ? null : questionMessage(turn, positions.next())
  const answer = answerMessage(turn, positions.next(), { text, failure })
  const output = outputOf({ ...turn, state, answer: answer.content })
  const events = [
    ...(question === null ? [] : [createdEvent(turn, question.createdAt)]),
    answerEvent(turn),
    outcome.state === 'completed' ? completedEvent(turn, output) : errorEvent(outcome.code, outcome.failure),
  ]
  log.end(turn.conversationId, events, async (stores, { positionMicroseconds, task }) => {
    const at = clock.now().toISOString()
    // A turn that never started has no position of its own.
    const moved = { updatedAt: at, ...(question !== null && { positionMicroseconds }) }
    if (question !== null) await stores.conversations.addMessage({ ...question, ...moved })
    await stores.conversations.addMessage({ ...answer, ...moved })
    if (state !== 'completed') await stores.conversations.failRunningCalls(turn.id, unknownOutcome, at)
    // The usage is complete, because its writes were queued before this one.
    const used = await turnUse(stores, turn.id)
    const end = { state, answer: answer.content, failure: answer.failure, ...used }
    await stores.turns.end(turn.id, end, at)
    // A question that was not answered may be sent again with the same key.
    if (state === 'failed' && turn.idempotencyKey !== null)
      await stores.idempotency.forget(turn.organizationId, turn.idempotencyKey)
    if (task === null) return
    const scope = { stores, caller: systemCaller(turn.organizationId) }
    const attempt = {
      task,
      attemptId: turn.id,
      outcome: attemptOutcomeOf(outcome, { answer: answer.content, output }),
    }
    await settleAttempt({ clock, settings: taskSettings }, scope, attempt)
  })
}

function attemptOutcomeOf(
  outcome: TurnOutcome,
  given: Pick<Extract<AttemptOutcome, { kind: 'answered' }>, 'answer' | 'output'>,
): AttemptOutcome {
  if (outcome.state === 'completed') return { kind: 'answered', ...given }
  const { cause, failure, isWaiting } = outcome
  switch (cause) {
    case 'stopped':
    case 'overdue':
      return { kind: cause }
    case 'erased':
      return { kind: 'stopped' }
    case 'draining':
      return { kind: 'drained', isWaiting }
    default:
      return { kind: 'failed', failure, isWaiting }
  }
}

/**
 * Why a turn is interrupted. `stopped`: a caller stopped it. `erased`: its conversation is being erased. `overdue`: its task has exceeded the deadline.
 * `draining`: the instance shuts down. `overflow`: too many writes are queued. `lost`: another instance
 * considered this one dead and has ended the turn.
 */
export type InterruptionReason = 'stopped' | 'erased' | 'overdue' | 'draining' | 'overflow' | 'lost'

/**
 * What an interrupted turn was doing: its question was queued, it was being answered, or a call was waiting
 * for approval.
 */
type InterruptionPoint = 'queue' | 'answer' | 'approval'

interface InterruptedEnd {
  readonly state: Exclude<TurnEnd['state'], 'completed'>
  readonly code: TurnErrorCode
  readonly failure: string
  /** Null if the turn was not interrupted, and the service failed instead. */
  readonly cause: InterruptionReason | null
  /** Whether a call was waiting for approval. Such a call outlives the turn. */
  readonly isWaiting: boolean
}

/**
 * The approval outlives the turn, and a repeated question would cause the same call again. The text is also
 * correct after the decision, because the message is stored.
 */
const callOutlivesTurn =
  'The call is run or closed after the decision. Its outcome is available to the next question.'

type WordedEnd = Omit<InterruptedEnd, 'cause' | 'isWaiting'>

const ends: Readonly<Record<Exclude<InterruptionReason, 'draining'>, WordedEnd>> = {
  stopped: { state: 'stopped', code: 'turn_stopped', failure: 'The turn was stopped.' },
  erased: {
    state: 'stopped',
    code: 'turn_stopped',
    failure: 'The turn was stopped because its conversation is being erased.',
  },
  overdue: {
    state: 'failed',
    code: 'turn_stopped',
    failure: 'The run of the task has exceeded its deadline.',
  },
  overflow: {
    state: 'failed',
    code: 'internal',
    failure: 'The service could not store the answer. Ask again.',
  },
  lost: {
    state: 'failed',
    code: 'interrupted',
    failure: 'Another instance took over while the question was being answered.',
  },
}

const drainedFailures: Readonly<Record<InterruptionPoint, string>> = {
  queue: 'The service was shut down before it answered this question. Ask again.',
  answer: 'The service was shut down while it was answering. Ask again.',
  approval: `The service was shut down while a call was waiting for approval. ${callOutlivesTurn}`,
}

const internalFailure: WordedEnd = {
  state: 'failed',
  code: 'internal',
  failure: 'The service failed. See the server log for details.',
}

/** Ends a turn before its answer is complete. The first reason counts. */
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

  /**
   * Returns how the turn ends at this point. If it was not interrupted, it ends because the service failed.
   */
  endAt(point: InterruptionPoint): InterruptedEnd {
    const known = { cause: this.#reason, isWaiting: point === 'approval' }
    if (this.#reason === null) return { ...internalFailure, ...known }
    if (this.#reason === 'draining')
      return { state: 'failed', code: 'interrupted', failure: drainedFailures[point], ...known }
    return { ...ends[this.#reason], ...known }
  }
}

const askAgain = 'The service stopped while it was answering. The partial answer is stored. Ask again.'
const stoppedWorking = 'The service stopped while it was working. The work up to that point is stored.'
const waitForIt = `The service stopped while a call was waiting for approval. ${callOutlivesTurn}`
const lostOutcome = 'The service stopped while the tool was running, so its outcome is unknown.'
const batchSize = 50
const eventsAtATime = 1000

interface CloseLostTurnsDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly taskSettings: TaskRunSettings
}

/**
 * Ends the turns of instances that have stopped. Stores the question and the partial answer, with the reason.
 */
export async function closeLostTurns(
  dependencies: CloseLostTurnsDependencies,
  leaseSeconds: number,
): Promise<number> {
  const { database, log } = dependencies
  const lost = await database.stores.turns.lost(leaseSeconds, batchSize)
  let closed = 0
  // Closes all lost turns of a conversation in one transaction. Otherwise, a running instance could start the
  // next one in between.
  for (const conversationId of new Set(lost.map((turn) => turn.conversationId)))
    closed += await database.transaction(async (stores) => {
      let count = 0
      const turns = lost.filter((each) => each.conversationId === conversationId)
      const tasks = await lockTasks(stores, turns)
      for (const turn of turns)
        count += await close(dependencies, stores, { turn, leaseSeconds, task: tasks.get(turn.taskId) })
      return count
    })
  if (closed > 0) log.warn({ turns: closed }, 'turns of a stopped instance were closed')
  return closed
}

/** Locks task, conversation and turn in this order, as everywhere, so that transactions cannot deadlock. */
async function lockTasks(
  stores: Stores,
  turns: readonly TurnRecord[],
): Promise<ReadonlyMap<string | null, TaskRecord>> {
  const tasks = new Map<string | null, TaskRecord>()
  const attempts = turns.flatMap(({ organizationId, taskId }) => (taskId ? [{ organizationId, taskId }] : []))
  attempts.sort((one, other) => (one.taskId < other.taskId ? -1 : 1))
  for (const { organizationId, taskId } of attempts) {
    const task = await stores.tasks.findLocked(organizationId, taskId)
    if (task !== null) tasks.set(taskId, task)
  }
  return tasks
}

interface LostTurn {
  readonly turn: TurnRecord
  readonly leaseSeconds: number
  /** The locked task of the attempt, if there is one. */
  readonly task: TaskRecord | undefined
}

/** Returns the number of closed turns. */
async function close(
  { clock, taskSettings }: CloseLostTurnsDependencies,
  stores: Stores,
  { turn, leaseSeconds, task }: LostTurn,
): Promise<0 | 1> {
  const at = clock.now().toISOString()
  await stores.conversations.lock(turn.conversationId)
  // Locked before its events are read, so that no events are added if its instance is still alive.
  const microseconds = await stores.turns.lockLost(turn.id, leaseSeconds)
  if (microseconds === null) return 0
  const stored = await allEvents(stores, turn.id)
  const calls = await stores.conversations.callsOf(turn.id)
  const isWaiting = calls.some(({ status }) => status === ToolStatus.PendingApproval)
  const failure = isWaiting ? waitForIt : turn.taskId === null ? askAgain : stoppedWorking
  const question = questionMessage(turn, { microseconds, counter: 0 })
  const text = textIn(stored)
  const last = stored.at(-1)?.sequence ?? 0
  const events: TurnEvent[] = [
    ...(last > 1 ? [] : [createdEvent(turn, question.createdAt)]),
    answerEvent(turn),
    errorEvent('interrupted', failure),
  ]
  await stores.turns.addEvents(turn.id, numberedAfter(last, events))
  // Stores the question if it is not stored yet. Otherwise, its position stays unchanged.
  await stores.conversations.addMessage(question)
  await stores.conversations.failRunningCalls(turn.id, lostOutcome, at)
  const answer = answerMessage(turn, { microseconds, counter: 1 }, { text, failure })
  await stores.conversations.addMessage(answer)
  const used = await turnUse(stores, turn.id)
  await stores.turns.end(turn.id, { state: 'failed', answer: answer.content, failure, ...used }, at)
  if (turn.idempotencyKey !== null) await stores.idempotency.forget(turn.organizationId, turn.idempotencyKey)
  if (task !== undefined) {
    const scope = { stores, caller: systemCaller(turn.organizationId) }
    const outcome = { kind: 'failed', failure: stoppedWorking, isWaiting } as const
    await settleAttempt({ clock, settings: taskSettings }, scope, { task, attemptId: turn.id, outcome })
  }
  return 1
}

async function allEvents(stores: Stores, turnId: string): Promise<readonly StoredTurnEvent[]> {
  const all: StoredTurnEvent[] = []
  for (;;) {
    const next = await stores.turns.eventsAfter(turnId, all.at(-1)?.sequence ?? 0, eventsAtATime)
    all.push(...next)
    if (next.length < eventsAtATime) return all
  }
}

/** Returns the text of the answer in its stored events. */
function textIn(events: readonly StoredTurnEvent[]): string {
  return events
    .map(({ event }) => JSON.parse(event) as TurnEvent)
    .map((event) => (event.type === 'response.text.delta' ? event.data.delta : ''))
    .join('')
}
