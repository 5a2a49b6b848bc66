import {
  coversScope,
  e164,
  type Page,
  Task,
  TaskInput,
  type TaskListQuery,
  type TaskPatch,
  type TaskStatus,
  type TaskUpsert,
  taskStatusSuccessors,
} from '@parley/contract'
import type { Stores } from '../../ports/database.js'
import type { TaskRecord } from '../../ports/task-stores.js'
import type { Clock } from '../../ports/time.js'
import { recordChange } from '../audit/record-change.js'
import { type CallerScope, keyOf } from '../caller-scope.js'
import { DomainError, invalidRequest, notFound } from '../domain-error.js'
import { requireNoErasure } from '../end-users/erasure-in-progress.js'
import { type Limits, oneMore } from '../limits/organization-limits.js'
import {
  addResource,
  applyPatch,
  changedFields,
  changeResource,
  type IfMatch,
  listResources,
  newResource,
  readResource,
  removeResource,
  requireMatch,
  stale,
  type TargetVersion,
} from '../resources/resource.js'
import { nextRunAfterWrite, requireSchedule, type TaskRunSettings } from './run-plan.js'
import { beginRun, endRun, stopAttempt } from './task-run.js'

const type = 'Task'

const upsertAttempts = 5

export type Tasks = ReturnType<typeof makeTasks>

interface TasksOptions {
  readonly clock: Clock
  readonly limits: Limits
  readonly settings: TaskRunSettings
  /** Called inside the transaction that plans a run. */
  readonly onPlanned: () => void
}

/** The initial run fields of a new task. */
const neverRun = {
  turnId: null,
  phoneCallId: null,
  attempts: 0,
  statusDetail: null,
  runStartedAt: null,
  missedRuns: 0,
  output: null,
  runByKeyId: null,
} as const

export function makeTasks(options: TasksOptions) {
  const { clock, limits } = options
  const kind = {
    type,
    clock,
    limits,
    counted: 'tasks',
    store: (stores: Stores) => stores.tasks,
    duplicate: 'Another task of this organization already has this externalId.',
  } as const

  async function change(
    scope: CallerScope,
    { id, ifMatch }: TargetVersion,
    inputFor: (current: TaskRecord) => TaskInput,
  ): Promise<TaskRecord> {
    const { before, after } = await changeResource(kind, scope, {
      id,
      ifMatch,
      change: async (current) => {
        const input = inputFor(current)
        requirePossibleStatus(current.status, input.status)
        requireCallable(scope, input)
        await requireNoErasure(scope.stores, current.organizationId, input.externalUserId)
        if (input.agentId !== current.agentId) await requireAgent(scope, input.agentId)
        if (current.runStartedAt === null) {
          const nextRunAt = planned(options, current, input)
          return plannedBy(scope, current, { ...current, ...input, nextRunAt })
        }
        requireSchedule(input, clock.now())
        requireSameRun(current, input)
        return plannedBy(scope, current, { ...current, ...input })
      },
    })
    const changed = changedFields(Task.parse(before), Task.parse(after))
    const { status, agentId } = after
    const details = { changed, status, ...(changed.includes('agentId') && { agentId }) }
    await recordChange(clock, scope, { action: 'task.update', type, id, details })
    if (before.runStartedAt === null || before.status === status) return after
    await stopAttempt(clock, scope, before)
    return endRun(options, scope, after, {
      status,
      detail: `The run was ended: its status became ${status}.`,
    })
  }

  function recordCreation(scope: CallerScope, task: TaskRecord): Promise<void> {
    const { id, status, agentId } = task
    const details = { status, ...(agentId !== null && { agentId }) }
    return recordChange(clock, scope, { action: 'task.create', type, id, details })
  }

  return {
    list(scope: CallerScope, query: TaskListQuery): Promise<Page<TaskRecord>> {
      const filter = {
        status: query.Status,
        agentId: query.AgentId,
        search: query.Search,
        dueBefore: query.DueBefore,
      }
      return listResources(kind, scope, { query, filter })
    },

    read: (scope: CallerScope, id: string) => readResource(kind, scope, id),

    /** `conversationId` is the conversation in which an agent creates the task. */
    async create(
      scope: CallerScope,
      input: TaskInput,
      conversationId: string | null = null,
    ): Promise<TaskRecord> {
      requireCallable(scope, input)
      await requireAgent(scope, input.agentId)
      await requireNoErasure(scope.stores, scope.caller.organizationId, input.externalUserId)
      const record = newTask(options, scope, { ...input, conversationId })
      await addResource(kind, scope, record)
      await recordCreation(scope, record)
      return record
    },

    replace: (scope: CallerScope, target: TargetVersion, input: TaskInput) =>
      change(scope, target, () => input),

    patch: (scope: CallerScope, target: TargetVersion, patch: TaskPatch) =>
      change(scope, target, (current) => applyPatch({ wire: Task, input: TaskInput }, current, patch)),

    /** Creates or replaces the task with this `externalId`, safely under concurrency. */
    async upsert(
      scope: CallerScope,
      { externalId, ifMatch }: { readonly externalId: string; readonly ifMatch: IfMatch },
      upsert: TaskUpsert,
    ): Promise<{ readonly resource: TaskRecord; readonly isNew: boolean }> {
      const { organizationId } = scope.caller
      const { tasks } = scope.stores
      const input = { ...upsert, externalId }
      for (let attempt = 0; attempt < upsertAttempts; attempt += 1) {
        const current = await tasks.findByExternalIdLocked(organizationId, externalId)
        if (current !== null)
          return { resource: await change(scope, { id: current.id, ifMatch }, () => input), isNew: false }
        if (ifMatch !== null) throw stale()
        requireCallable(scope, input)
        await requireAgent(scope, input.agentId)
        await requireNoErasure(scope.stores, organizationId, input.externalUserId)
        await limits.requireRoom(scope, [oneMore('tasks')])
        const record = newTask(options, scope, { ...input, conversationId: null })
        // If the id is taken, another call has just created the task, or the task was deleted in the
        // meantime. The next attempt handles both cases.
        if (await tasks.insertUnlessTaken(record)) {
          await recordCreation(scope, record)
          return { resource: record, isNew: true }
        }
      }
      throw new DomainError('Conflict', 'Other requests are creating and deleting this task. Try again.')
    },

    /** Starts a run of the task by its agent in the background. */
    async run(scope: CallerScope, target: TargetVersion): Promise<TaskRecord> {
      const task = await lock(scope, target)
      requireCallable(scope, task)
      const begun = await beginRun(options, scope, task)
      options.onPlanned()
      return begun
    },

    async remove(scope: CallerScope, { id, ifMatch }: TargetVersion): Promise<undefined> {
      const task = await lock(scope, { id, ifMatch })
      if (task.runStartedAt !== null) {
        await stopAttempt(clock, scope, task)
        await endRun(options, scope, task, { status: 'cancelled', detail: 'The task was deleted.' })
      }
      await removeResource(kind, scope, { id, ifMatch: null })
      await recordChange(clock, scope, { action: 'task.delete', type, id })
    },
  }
}

async function lock({ stores, caller }: CallerScope, { id, ifMatch }: TargetVersion): Promise<TaskRecord> {
  const task = await stores.tasks.findLocked(caller.organizationId, id)
  if (task === null) throw notFound(type)
  requireMatch(ifMatch, task.version)
  return task
}

/** `conversationId` is the conversation in which the task was created. */
function newTask(
  options: TasksOptions,
  { caller }: CallerScope,
  { conversationId, ...input }: TaskInput & { readonly conversationId: string | null },
): TaskRecord {
  const nextRunAt = planned(options, null, input)
  const resource = newResource(options.clock, caller.organizationId)
  return {
    ...resource,
    ...input,
    ...neverRun,
    conversationId,
    sourceConversationId: conversationId,
    nextRunAt,
    plannedByKeyId: keyOf(caller),
  }
}

/**
 * A run is attributed to the caller that last changed the task's schedule. Other changes do not affect this.
 */
function plannedBy({ caller }: CallerScope, before: TaskRecord, after: TaskRecord): TaskRecord {
  const isSamePlan =
    before.runAt === after.runAt &&
    before.schedule === after.schedule &&
    before.timeZone === after.timeZone &&
    before.nextRunAt === after.nextRunAt
  return isSamePlan ? after : { ...after, plannedByKeyId: keyOf(caller) }
}

/** Returns the task with its next run, after a caller has written the task. */
function planned(
  { clock, onPlanned }: TasksOptions,
  before: TaskRecord | null,
  input: TaskInput,
): string | null {
  const now = clock.now()
  requireSchedule(input, now)
  const nextRunAt = nextRunAfterWrite(before, input, now)
  if (nextRunAt === null) return null
  if (input.agentId === null)
    throw invalidRequest([{ path: 'agentId', message: 'is required for a task with a schedule' }])
  onPlanned()
  return nextRunAt
}

async function requireAgent({ stores, caller }: CallerScope, agentId: string | null): Promise<void> {
  if (agentId === null || (await stores.agents.find(caller.organizationId, agentId)) !== null) return
  throw invalidRequest([{ path: 'agentId', message: 'must be an agent of this organization' }])
}

const telephoneNumber = e164()

/** Returns the number that a task of the telephone calls, or null if it has none. */
export function calledNumber({
  to,
  externalUserId,
}: Pick<TaskInput, 'to' | 'externalUserId'>): string | null {
  return to ?? (telephoneNumber.safeParse(externalUserId).success ? externalUserId : null)
}

/** Throws if the call of the task lacks a number, or if the caller may not make calls. */
function requireCallable(
  { caller }: CallerScope,
  input: Pick<TaskInput, 'channel' | 'to' | 'from' | 'externalUserId' | 'responseSchema'>,
): void {
  const { channel, to, from, responseSchema } = input
  const require = (isMet: boolean, path: string, message: string) => {
    if (!isMet) throw invalidRequest([{ path, message }])
  }
  if (channel === 'text') {
    require(to === null, 'to', 'must be null unless channel is telephone')
    require(from === null, 'from', 'must be null unless channel is telephone')
    return
  }
  if (!coversScope(caller.scopes, 'call:make'))
    throw new DomainError('Forbidden', 'This task makes a call. That requires the scope call:make.')
  require(from !== null, 'from', 'is required if channel is telephone')
  require(calledNumber(input) !== null, 'to', 'is required unless externalUserId is a telephone number')
  require(responseSchema === null, 'responseSchema', 'must be null if channel is telephone')
}

/** Throws if the change would affect a run in progress. */
function requireSameRun(current: TaskRecord, input: TaskInput): void {
  if (input.status !== current.status) return
  if (input.agentId !== current.agentId)
    throw new DomainError('Conflict', 'The task is running. Cancel the run before you assign another agent.')
  if (input.runAt !== null && input.runAt !== current.runAt)
    throw new DomainError('Conflict', 'The task is running. Set runAt after the run has ended.')
}

/*
 * The statuses of a task. A task that is done, cancelled or failed can be reopened. Only a task in progress can fail.
 *
 *   open ◄──► in_progress ──► done, failed, cancelled
 *   open ──► done, cancelled
 *   failed ──► open, in_progress, cancelled
 *   done, cancelled ──► open
 */
function requirePossibleStatus(from: TaskStatus, to: TaskStatus): void {
  if (from === to || taskStatusSuccessors[from].includes(to)) return
  const possible = taskStatusSuccessors[from].join(', ')
  throw new DomainError(
    'Conflict',
    `A task with the status ${from} cannot become ${to}. Possible values: ${possible}.`,
  )
}
