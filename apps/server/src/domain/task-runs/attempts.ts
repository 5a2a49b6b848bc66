import type { TurnRecord } from '../../ports/conversation-stores.js'
import type { Stores } from '../../ports/database.js'
import type { DueTask, TaskRecord } from '../../ports/task-stores.js'
import { recordChange } from '../audit/record-change.js'
import { type CallerScope, systemCaller } from '../caller-scope.js'
import { oneMore } from '../limits/organization-limits.js'
import { newId } from '../new-id.js'
import {
  type AttemptOutcome,
  attemptSentence,
  isAttemptRunning,
  type SettleDependencies,
  settleAttempt,
} from '../tasks/settle-attempt.js'
import { endRun, type TaskRunDependencies, writeTask } from '../tasks/task-run.js'
import { storeTurn } from '../turns/ask-question.js'
import { outputOf } from '../turns/turn-records.js'
import { refusalError, reserveBudget } from '../usage/budgets/reserve-budget.js'
import { settleEndedCall, wordsOf } from './call-attempts.js'

export interface StartAttemptDependencies extends TaskRunDependencies {
  readonly instanceId: string
}

/** A task with a current run, and the dependencies of an attempt. */
interface AttemptedTask {
  readonly task: TaskRecord
  readonly agentId: string
  readonly conversationId: string
}

/**
 * Stores the next attempt at a locked task, as a turn of this instance in the conversation of its run.
 * Returns null if the conversation was deleted.
 */
export async function startAttempt(
  { clock, limits, instanceId }: StartAttemptDependencies,
  scope: CallerScope,
  { task, agentId, conversationId }: AttemptedTask,
): Promise<TurnRecord | null> {
  const { stores } = scope
  const { id: taskId, organizationId } = task
  const conversation = await stores.conversations.find(organizationId, conversationId)
  if (conversation === null || !(await stores.conversations.lock(conversationId))) return null
  await limits.requireRoom(scope, [oneMore('queuedTurns'), oneMore('messages')])
  const id = newId()
  const work = { organizationId, agentId, apiKeyId: task.runByKeyId, sourceId: id }
  const refusal = await reserveBudget({ clock }, stores, work, 'new')
  // If a budget is used up, the attempt fails. If the rest of the budget is only reserved, the run waits.
  if (refusal !== null && refusal.reserved !== null) throw refusalError(refusal)
  const turn = await storeTurn({ clock, instanceId }, stores, {
    id,
    organizationId,
    conversationId,
    agentId,
    question: conversation.messageCount === 0 ? wordsOf(task) : resumptionOf(task),
    fileIds: [],
    additionalInstructions: null,
    responseSchema: task.responseSchema,
    idempotencyKey: null,
    taskId,
    apiKeyId: task.runByKeyId,
    endUserId: conversation.endUserId,
    rehearsal: null,
  })
  const attempts = task.attempts + 1
  const begun = { ...task, attempts }
  await writeTask(clock, scope, task, {
    attempts,
    turnId: turn.id,
    phoneCallId: null,
    nextRunAt: null,
    statusDetail: attemptSentence(begun),
  })
  const { endUserId } = conversation
  const details = {
    attempt: attempts,
    agentId,
    conversationId,
    turnId: turn.id,
    ...(endUserId !== null && { endUserId }),
  }
  await recordChange(clock, scope, { action: 'task.run.attempt', type: 'Task', id: taskId, details })
  return turn
}

/**
 * Returns the message that resumes the work. The model's history contains the earlier steps, which it must
 * not repeat.
 */
function resumptionOf(task: TaskRecord): string {
  return [
    'The work on this task was interrupted. Continue where it stopped. The steps above are already done; do not repeat them. ' +
      'A call with an unknown outcome may have taken effect. Do not repeat it; say that its outcome is unknown.',
    `The task: ${wordsOf(task)}`,
  ].join('\n\n')
}

/**
 * Settles an attempt whose call ended, or whose turn ended without settling it, because its conversation was
 * deleted or because an instance of an earlier version ended it. The outcome is taken from the row.
 */
export async function settleEndedAttempt(
  dependencies: SettleDependencies,
  stores: Stores,
  { id, organizationId }: DueTask,
): Promise<void> {
  const task = await stores.tasks.findLocked(organizationId, id)
  if (task === null || !isAttemptRunning(task)) return
  const scope = { stores, caller: systemCaller(organizationId) }
  const { turnId, conversationId, phoneCallId } = task
  if (phoneCallId !== null) return settleEndedCall(dependencies, scope, { ...task, phoneCallId })
  const turn =
    turnId === null || conversationId === null
      ? null
      : await stores.turns.find(organizationId, conversationId, turnId)
  if (turn === null) {
    await endRun(dependencies, scope, task, {
      status: 'cancelled',
      detail: 'The turn of the run was deleted.',
    })
    return
  }
  if (turn.endedAt === null) return
  await settleAttempt(dependencies, scope, { task, attemptId: turn.id, outcome: outcomeOf(turn) })
}

function outcomeOf(turn: TurnRecord): AttemptOutcome {
  const { state, answer, failure } = turn
  if (state === 'completed') return { kind: 'answered', answer: answer ?? '', output: outputOf(turn) }
  if (state === 'stopped') return { kind: 'stopped' }
  return { kind: 'failed', failure: failure ?? 'The reason is unknown.', isWaiting: false }
}
