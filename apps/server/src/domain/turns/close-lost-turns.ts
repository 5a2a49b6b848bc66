import { ToolStatus, type TurnEvent } from '@parley/contract'
import type { Clock } from '../../ports/clock.js'
import type { Database, Stores } from '../../ports/database.js'
import type { Log } from '../../ports/log.js'
import type { TaskRecord } from '../../ports/task-store.js'
import type { StoredTurnEvent, TurnRecord } from '../../ports/turn-store.js'
import { systemCaller } from '../system-caller.js'
import type { TaskRunSettings } from '../tasks/run-plan.js'
import { settleAttempt } from '../tasks/settle-attempt.js'
import { answerEvent, createdEvent, errorEvent, numberedAfter } from './turn-events.js'
import { callOutlivesTurn } from './turn-interruption.js'
import { answerMessage, questionMessage } from './turn-messages.js'
import { turnUse } from './turn-use.js'

const askAgain = 'The service stopped while it answered. What it had said is kept; ask again.'
const stoppedWorking = 'The service stopped while it worked. What was done until then is kept.'
const waitForIt = `The service stopped while a call waited for approval. ${callOutlivesTurn}`
const unknownOutcome = 'The service stopped while the tool ran; its outcome is unknown.'
const atATime = 50
const eventsAtATime = 1000

export interface CloseLostTurnsDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly taskSettings: TaskRunSettings
}

/** Ends the turns whose instance is gone: question and what was answered are kept, with why there is no more. */
export async function closeLostTurns(
  dependencies: CloseLostTurnsDependencies,
  leaseSeconds: number,
): Promise<number> {
  const { database, log } = dependencies
  const lost = await database.stores.turns.lost(leaseSeconds, atATime)
  let closed = 0
  // Those of one conversation together: an instance that lives after all would start the next one in between.
  for (const conversationId of new Set(lost.map((turn) => turn.conversationId)))
    closed += await database.transaction(async (stores) => {
      let count = 0
      const turns = lost.filter((each) => each.conversationId === conversationId)
      const tasks = await lockTasks(stores, turns)
      for (const turn of turns)
        count += await close(dependencies, stores, { turn, leaseSeconds, task: tasks.get(turn.taskId) })
      return count
    })
  if (closed > 0) log.warn({ turns: closed }, 'turns of an instance that is gone were closed')
  return closed
}

/** Task, conversation, turn, as everywhere: two who change them must not wait for each other. */
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
  /** The task that it was an attempt at, locked. */
  readonly task: TaskRecord | undefined
}

/** Returns how many were closed. */
async function close(
  { clock, taskSettings }: CloseLostTurnsDependencies,
  stores: Stores,
  { turn, leaseSeconds, task }: LostTurn,
): Promise<0 | 1> {
  const at = clock.now().toISOString()
  await stores.conversations.lock(turn.conversationId)
  // Locked before its events are read: an instance that is back after all adds none behind our back.
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
  // Where the question has not been stored yet it is now; else it keeps its position.
  await stores.conversations.addMessage(question)
  await stores.conversations.failRunningCalls(turn.id, unknownOutcome, at)
  const answer = answerMessage(turn, { microseconds, counter: 1 }, { text, failure })
  await stores.conversations.addMessage(answer)
  const used = await turnUse(stores, turn.id)
  await stores.turns.end(turn.id, { state: 'failed', answer: answer.content, failure, ...used }, at)
  if (turn.idempotencyKey !== null) await stores.idempotency.forget(turn.organizationId, turn.idempotencyKey)
  if (task !== undefined) {
    const scope = { stores, caller: systemCaller(turn.organizationId) }
    const outcome = { kind: 'failed', failure: stoppedWorking, isWaiting } as const
    await settleAttempt({ clock, settings: taskSettings }, scope, { task, turnId: turn.id, outcome })
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

/** As much of the answer as its events hold. */
function textIn(events: readonly StoredTurnEvent[]): string {
  return events
    .map(({ event }) => JSON.parse(event) as TurnEvent)
    .map((event) => (event.type === 'response.text.delta' ? event.data.delta : ''))
    .join('')
}
