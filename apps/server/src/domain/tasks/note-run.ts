import type { Clock } from '../../ports/clock.js'
import type { Stores } from '../../ports/database.js'
import type { TaskRecord } from '../../ports/task-store.js'
import { recordChange } from '../audit/record-change.js'
import { systemCaller } from '../system-caller.js'
import { isUnderWay } from './settle-attempt.js'
import { writeTask } from './task-run.js'

export interface RunNote {
  readonly organizationId: string
  readonly taskId: string
  readonly turnId: string
  readonly detail: (task: TaskRecord) => string
}

/** Writes into a task what its attempt does or waits for now, in words, where it is under way. */
export async function noteRun(
  clock: Clock,
  stores: Stores,
  { organizationId, taskId, turnId, detail }: RunNote,
): Promise<void> {
  const task = await stores.tasks.findLocked(organizationId, taskId)
  if (task === null || !isUnderWay(task) || task.turnId !== turnId) return
  const scope = { stores, caller: systemCaller(organizationId) }
  const { statusDetail } = await writeTask(clock, scope, task, { statusDetail: detail(task) })
  const details = { detail: statusDetail }
  await recordChange(clock, scope, { action: 'task.run.note', type: 'Task', id: taskId, details })
}

/** What is said of an attempt that goes on. */
export function attemptSentence({ attempts, maxAttempts }: TaskRecord): string {
  return `Attempt ${attempts} of ${maxAttempts} is under way.`
}
