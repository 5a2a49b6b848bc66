import type { Stores } from '../../ports/database.js'
import type { TaskRecord } from '../../ports/task-stores.js'
import type { Clock } from '../../ports/time.js'
import { recordChange } from '../audit/record-change.js'
import { type CallerScope, systemCaller } from '../caller-scope.js'
import { deadlineOf, pauseSecondsAfter } from './run-plan.js'
import { endRun, type TaskRunDependencies, writeTask } from './task-run.js'

export type SettleDependencies = Pick<TaskRunDependencies, 'clock' | 'settings'>

/** The outcome of one attempt. */
export type AttemptOutcome =
  | { readonly kind: 'answered'; readonly answer: string; readonly output: TaskRecord['output'] }
  /** The turn was stopped, or its conversation was deleted. */
  | { readonly kind: 'stopped' }
  /** The run has exceeded its deadline. */
  | { readonly kind: 'overdue' }
  /** The service was shut down. This does not count as an attempt. */
  | { readonly kind: 'drained'; readonly isWaiting: boolean }
  | { readonly kind: 'failed'; readonly failure: string; readonly isWaiting: boolean }

export const overdue =
  'The run was stopped at its deadline. The conversation contains the messages up to that point.'
const waitsForApproval = 'A tool call is waiting for approval. The run continues after the decision.'

/**
 * Stores the outcome of an attempt in its locked task, so that every attempt is settled exactly once. The
 * attempt is a turn, whose end is stored in the same transaction, or a telephone call. A run that has
 * already ended stays unchanged.
 */
export async function settleAttempt(
  dependencies: SettleDependencies,
  scope: CallerScope,
  {
    task,
    attemptId,
    outcome,
  }: { readonly task: TaskRecord; readonly attemptId: string; readonly outcome: AttemptOutcome },
): Promise<void> {
  if (!isAttemptRunning(task) || (task.turnId ?? task.phoneCallId) !== attemptId) return
  switch (outcome.kind) {
    case 'answered':
      await endRun(dependencies, scope, task, {
        status: 'done',
        detail: null,
        result: outcome.answer,
        output: outcome.output,
      })
      return
    case 'stopped':
      await endRun(dependencies, scope, task, {
        status: 'cancelled',
        detail: `The ${task.phoneCallId === null ? 'turn' : 'call'} of the run was stopped.`,
      })
      return
    case 'overdue':
      await endRun(dependencies, scope, task, { status: 'failed', detail: overdue })
      return
    case 'drained': {
      const detail = 'The service was shut down. The run resumes when an instance is available again.'
      const attempts = task.attempts - 1
      await pause(dependencies, scope, task, {
        attempts,
        nextRunAt: dependencies.clock.now(),
        detail: outcome.isWaiting ? waitsForApproval : detail,
      })
      return
    }
    case 'failed':
      await failAttempt(dependencies, scope, task, outcome)
  }
}

/** Returns whether an attempt at the task is in progress and not settled yet. */
export function isAttemptRunning({ runStartedAt, nextRunAt }: TaskRecord): boolean {
  return runStartedAt !== null && nextRunAt === null
}

async function failAttempt(
  dependencies: SettleDependencies,
  scope: CallerScope,
  task: TaskRecord,
  { failure, isWaiting }: Extract<AttemptOutcome, { kind: 'failed' }>,
): Promise<void> {
  const { clock, settings } = dependencies
  const { attempts, maxAttempts, runStartedAt } = task
  const failed = `Attempt ${attempts} of ${maxAttempts} failed: ${failure}`
  if (attempts >= maxAttempts)
    return void (await endRun(dependencies, scope, task, { status: 'failed', detail: failed }))
  const now = clock.now()
  const next = new Date(now.getTime() + pauseSecondsAfter(attempts, settings) * 1000)
  const deadline = deadlineOf(task, runStartedAt ?? now.toISOString(), settings)
  if (next.toISOString() >= deadline) {
    const detail = `${failed} The deadline of the run leaves no time for another attempt.`
    return void (await endRun(dependencies, scope, task, { status: 'failed', detail }))
  }
  const announced = `${failed} The next attempt starts at ${next.toISOString()}.`
  const detail = isWaiting ? `${failed} ${waitsForApproval}` : announced
  await pause(dependencies, scope, task, { attempts, nextRunAt: next, detail })
}

async function pause(
  { clock }: SettleDependencies,
  scope: CallerScope,
  task: TaskRecord,
  {
    attempts,
    nextRunAt,
    detail,
  }: { readonly attempts: number; readonly nextRunAt: Date; readonly detail: string },
): Promise<void> {
  const fields = { attempts, statusDetail: detail, nextRunAt: nextRunAt.toISOString() }
  await writeTask(clock, scope, task, fields)
  await recordChange(clock, scope, {
    action: 'task.run.pause',
    type: 'Task',
    id: task.id,
    details: { attempts },
  })
}

interface RunNote {
  readonly organizationId: string
  readonly taskId: string
  readonly turnId: string
  readonly detail: (task: TaskRecord) => string
}

/** Writes the current activity of an attempt to its task, if the attempt is still in progress. */
export async function noteRun(
  clock: Clock,
  stores: Stores,
  { organizationId, taskId, turnId, detail }: RunNote,
): Promise<void> {
  const task = await stores.tasks.findLocked(organizationId, taskId)
  if (task === null || !isAttemptRunning(task) || task.turnId !== turnId) return
  const scope = { stores, caller: systemCaller(organizationId) }
  await writeTask(clock, scope, task, { statusDetail: detail(task) })
  await recordChange(clock, scope, { action: 'task.run.note', type: 'Task', id: taskId, details: { turnId } })
}

/** The status message of an attempt that continues. */
export function attemptSentence({ attempts, maxAttempts }: TaskRecord): string {
  return `Attempt ${attempts} of ${maxAttempts} is running.`
}
