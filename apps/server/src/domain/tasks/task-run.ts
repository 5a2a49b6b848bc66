import { maxResultCharacters } from '@parley/contract'
import type { AgentRecord } from '../../ports/agent-stores.js'
import type { TaskRecord } from '../../ports/task-stores.js'
import type { Clock } from '../../ports/time.js'
import { recordChange } from '../audit/record-change.js'
import { type CallerScope, keyOf } from '../caller-scope.js'
import { contextOf, conversationFor } from '../conversations/conversations.js'
import { DomainError } from '../domain-error.js'
import { requireVariables } from '../end-users/template-values.js'
import type { Limits } from '../limits/organization-limits.js'
import { requireBudget } from '../usage/budgets/reserve-budget.js'
import { recordEvent } from '../webhooks/webhooks.js'
import { countOccurrences, deadlineOf, type TaskRunSettings, upcomingRun } from './run-plan.js'

/*
 * The run of a task: its agent works on it in one or more attempts, and each attempt is a turn or a telephone call.
 *
 *            ┌────────────── nextRunAt: due ──────────────┐
 *   beginRun │                                            │ attempt running (turnId or phoneCallId,
 *            │                                            │ no nextRunAt)
 *   ─────────┴──► pause (runStartedAt, nextRunAt) ◄───────┤
 *                    failed, drained                      └──► endRun: done, failed, cancelled
 *
 * Every run begins in beginRun and ends in endRun.
 */
export interface TaskRunDependencies {
  readonly clock: Clock
  readonly limits: Limits
  readonly settings: TaskRunSettings
}

const waitsForSlot = 'The run is waiting for a free slot.'
const truncationNote = '\n\n[Truncated. The full result is in the conversation.]'

/**
 * Begins a run of a locked task. This function alone admits runs and writes their start. Throws if the task
 * cannot run, and writes nothing in that case.
 */
export async function beginRun(
  { clock, limits, settings }: TaskRunDependencies,
  scope: CallerScope,
  task: TaskRecord,
): Promise<TaskRecord> {
  const now = clock.now()
  const at = now.toISOString()
  const agent = await requireRunnable(scope, task, now)
  const { caller, stores } = scope
  // The service begins scheduled runs on behalf of the caller who planned them.
  const apiKeyId = caller.actor.type === 'system' ? task.plannedByKeyId : keyOf(caller)
  const work = { organizationId: caller.organizationId, agentId: agent.id, apiKeyId }
  await requireBudget({ clock }, stores, work)
  const { schedule, timeZone, nextRunAt } = task
  const isBySchedule = schedule !== null && nextRunAt !== null && nextRunAt <= at
  const conversation = await conversationFor({ clock, limits }, scope, {
    agent,
    conversationId: isBySchedule ? null : await conversationToContinue(scope, task, agent),
    rehearsal: false,
    context: contextOf(task),
  })
  const { id: conversationId, endUserId } = conversation
  requireVariables(agent, conversation.variables)
  const begun = await writeTask(clock, scope, task, {
    status: 'in_progress',
    conversationId,
    // In tasks of an earlier version, this field contains the conversation in which the task was created.
    sourceConversationId: wasTried(task) ? task.sourceConversationId : task.conversationId,
    attempts: 0,
    statusDetail: waitsForSlot,
    result: null,
    output: null,
    runStartedAt: at,
    runByKeyId: apiKeyId,
    runDeadlineAt: deadlineOf(task, at, settings),
    nextRunAt: at,
    missedRuns: isBySchedule ? countOccurrences({ schedule, timeZone }, new Date(nextRunAt), now) : 0,
  })
  const { missedRuns } = begun
  await recordChange(clock, scope, {
    action: 'task.run.start',
    type: 'Task',
    id: task.id,
    details: {
      agentId: agent.id,
      conversationId,
      apiKeyId,
      ...(endUserId !== null && { endUserId }),
      ...(missedRuns > 0 && { missedRuns }),
    },
  })
  await recordEvent(stores, task.organizationId, { type: 'task.run.started', data: { ...begun, endUserId } })
  return begun
}

/** Returns whether the task had an attempt. */
const wasTried = ({ turnId, phoneCallId }: TaskRecord) => turnId !== null || phoneCallId !== null

async function endUserOf({ stores }: CallerScope, conversationId: string | null): Promise<string | null> {
  if (conversationId === null) return null
  return (await stores.conversations.endUsersOf([conversationId])).get(conversationId)?.endUserId ?? null
}

export interface RunEnd {
  readonly status: TaskRecord['status']
  /** Why the run ended. Null if the result explains it. */
  readonly detail: string | null
  readonly result?: string
  readonly output?: TaskRecord['output']
}

/** Ends the run of a locked task. This function alone writes the end of a run. */
export async function endRun(
  { clock }: Pick<TaskRunDependencies, 'clock'>,
  scope: CallerScope,
  task: TaskRecord,
  end: RunEnd,
): Promise<TaskRecord> {
  const now = clock.now()
  const { schedule, timeZone, runStartedAt, attempts } = task
  const missedMeanwhile =
    schedule === null || runStartedAt === null
      ? 0
      : countOccurrences({ schedule, timeZone }, new Date(runStartedAt), now)
  const missedRuns = task.missedRuns + missedMeanwhile
  const { conversationId } = task
  const unknownCalls =
    conversationId === null ? 0 : await scope.stores.conversations.countUnknownCalls(conversationId)
  const ended = await writeTask(clock, scope, task, {
    status: end.status,
    statusDetail: sentencesOf(end.detail, { unknownCalls, missedRuns }),
    ...(end.result !== undefined && { result: cut(end.result) }),
    ...(end.output !== undefined && { output: end.output }),
    runStartedAt: null,
    runByKeyId: null,
    runDeadlineAt: null,
    nextRunAt: upcomingRun({ ...task, status: end.status, runAt: null }, now),
    missedRuns,
  })
  const endUserId = await endUserOf(scope, conversationId)
  await recordChange(clock, scope, {
    action: 'task.run.end',
    type: 'Task',
    id: task.id,
    details: {
      status: end.status,
      attempts,
      conversationId,
      ...(endUserId !== null && { endUserId }),
      ...(unknownCalls > 0 && { unknownCalls }),
    },
  })
  await recordEvent(scope.stores, task.organizationId, {
    type: 'task.run.ended',
    data: { ...ended, endUserId },
  })
  return ended
}

/** Updates fields of a locked task as its next version. */
export async function writeTask(
  clock: Clock,
  { stores }: CallerScope,
  task: TaskRecord,
  fields: Partial<TaskRecord>,
): Promise<TaskRecord> {
  const next = { ...task, ...fields, version: task.version + 1, updatedAt: clock.now().toISOString() }
  const outcome = await stores.tasks.update(next, task.version)
  if (outcome !== 'written') throw new Error(`The run of task ${task.id} could not be written: ${outcome}.`)
  return next
}

/**
 * Stops the remaining work of a run that was ended by a caller: its turn or telephone call, and its tool calls that wait for a
 * decision or an instance. A run that ended normally has no remaining work.
 */
export async function stopAttempt(clock: Clock, { stores }: CallerScope, task: TaskRecord): Promise<void> {
  const at = clock.now().toISOString()
  // Takes locks in the same order as the deletion of a conversation, so that the two cannot deadlock.
  if (task.conversationId !== null) await stores.approvals.withdrawUnclaimed(task.conversationId, at)
  if (task.turnId !== null) await stores.turns.requestStop(task.turnId, at)
  if (task.phoneCallId !== null) await stores.phoneCalls.requestEnd(task.organizationId, task.phoneCallId, at)
}

async function requireRunnable(
  { stores, caller }: CallerScope,
  task: TaskRecord,
  now: Date,
): Promise<AgentRecord> {
  if (task.runStartedAt !== null) throw new DomainError('Conflict', 'The task is already running.')
  if (task.status === 'cancelled')
    throw new DomainError('Conflict', 'The task is cancelled. Reopen it before you run it.')
  if (task.agentId === null) throw new DomainError('Conflict', 'The task has no agent. Set agentId.')
  if (task.runDeadlineAt !== null && Date.parse(task.runDeadlineAt) <= now.getTime())
    throw new DomainError(
      'Conflict',
      'The deadline of the run has passed. Change runDeadlineAt, or set it to null.',
    )
  const agent = await stores.agents.find(caller.organizationId, task.agentId)
  if (agent === null)
    throw new DomainError('Conflict', 'The agent of the task was deleted. Assign another agent.')
  return agent
}

/**
 * Returns the conversation of the previous run if that run was not completed and the agent is the same,
 * because the model must know the earlier calls and their outcomes. Otherwise, returns null, and the run gets
 * a new conversation.
 */
async function conversationToContinue(
  { stores }: CallerScope,
  task: TaskRecord,
  agent: AgentRecord,
): Promise<string | null> {
  const { status, conversationId, organizationId } = task
  if (!wasTried(task) || conversationId === null || status === 'done') return null
  const conversation = await stores.conversations.find(organizationId, conversationId)
  return conversation?.agentId === agent.id ? conversation.id : null
}

function sentencesOf(
  detail: string | null,
  { unknownCalls, missedRuns }: { readonly unknownCalls: number; readonly missedRuns: number },
): string | null {
  const unknown =
    unknownCalls === 0
      ? null
      : `Tool calls with an unknown outcome, which may have taken effect: ${unknownCalls}.`
  const missed =
    missedRuns === 0 ? null : `Scheduled runs that were skipped since the previous run: ${missedRuns}.`
  return [detail, unknown, missed].filter((sentence) => sentence !== null).join(' ') || null
}

function cut(result: string): string {
  if (result.length <= maxResultCharacters) return result
  return `${result.slice(0, maxResultCharacters - truncationNote.length).toWellFormed()}${truncationNote}`
}
