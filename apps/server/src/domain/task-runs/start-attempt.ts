import type { TaskRecord } from '../../ports/task-store.js'
import type { TurnRecord } from '../../ports/turn-store.js'
import { recordChange } from '../audit/record-change.js'
import type { CallerScope } from '../caller-scope.js'
import { oneMore } from '../limits/organization-limits.js'
import { newId } from '../new-id.js'
import { attemptSentence } from '../tasks/note-run.js'
import { type TaskRunDependencies, writeTask } from '../tasks/task-run.js'
import { storeTurn } from '../turns/store-turn.js'
import { refusalError, reserveBudget } from '../usage/budgets/reserve-budget.js'

export interface StartAttemptDependencies extends TaskRunDependencies {
  readonly instanceId: string
}

/** A task whose run goes on, and that can be attempted. */
export interface AttemptedTask {
  readonly task: TaskRecord
  readonly agentId: string
  readonly conversationId: string
}

/**
 * Stores the next attempt at a task, whose row is locked, as a turn of this instance in the conversation of its run.
 * Where the conversation is gone there can be none: null.
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
  // If a budget is used up, the attempt ends as such. If it is only reserved, the run waits.
  if (refusal !== null && refusal.reserved !== null) throw refusalError(refusal)
  const turn = await storeTurn({ clock, instanceId }, stores, {
    id,
    organizationId,
    conversationId,
    agentId,
    question: conversation.messageCount === 0 ? wordsOf(task) : resumptionOf(task),
    fileIds: [],
    additionalInstructions: null,
    idempotencyKey: null,
    taskId,
    apiKeyId: task.runByKeyId,
    rehearsal: null,
  })
  const attempts = task.attempts + 1
  const begun = { ...task, attempts }
  await writeTask(clock, scope, task, {
    attempts,
    turnId: turn.id,
    nextRunAt: null,
    statusDetail: attemptSentence(begun),
  })
  const details = { attempt: attempts, agentId, conversationId, turnId: turn.id }
  await recordChange(clock, scope, { action: 'task.run.attempt', type: 'Task', id: taskId, details })
  return turn
}

function wordsOf({ title, description }: TaskRecord): string {
  return [title, description].filter((part) => part !== null && part !== '').join('\n\n')
}

/** The model has what was said and done before it; it must not begin again. */
function resumptionOf(task: TaskRecord): string {
  return [
    'The work on this task was interrupted. Go on where it stopped: what has been done stands above and is not done again. ' +
      'A call whose outcome is unknown may have had its effect: do not repeat it, and say that its outcome is unknown.',
    `The task: ${wordsOf(task)}`,
  ].join('\n\n')
}
