import {
  type Page,
  Task,
  TaskInput,
  type TaskListQuery,
  type TaskPatch,
  type TaskUpsert,
} from '@parley/contract'
import type { Clock } from '../../ports/clock.js'
import type { Stores } from '../../ports/database.js'
import type { TaskRecord } from '../../ports/task-store.js'
import { recordChange } from '../audit/record-change.js'
import type { CallerScope } from '../caller-scope.js'
import { DomainError, invalidRequest } from '../domain-error.js'
import { type Limits, oneMore } from '../limits/organization-limits.js'
import { changedFields } from '../resources/changed-fields.js'
import { type IfMatch, stale } from '../resources/if-match.js'
import { newResource } from '../resources/new-resource.js'
import {
  addResource,
  applyPatch,
  changeResource,
  listResources,
  type MeantVersion,
  readResource,
  removeResource,
} from '../resources/resource.js'
import { requirePossibleStatus } from './task-status.js'

const type = 'Task'

const upsertAttempts = 5

export type Tasks = ReturnType<typeof makeTasks>

export function makeTasks({ clock, limits }: { readonly clock: Clock; readonly limits: Limits }) {
  const kind = {
    type,
    clock,
    limits,
    counted: 'tasks',
    store: (stores: Stores) => stores.tasks,
    duplicate: 'Another task of this organization has this externalId.',
  } as const

  async function change(
    scope: CallerScope,
    { id, ifMatch }: MeantVersion,
    inputFor: (current: TaskRecord) => TaskInput,
  ): Promise<TaskRecord> {
    const { before, after } = await changeResource(kind, scope, {
      id,
      ifMatch,
      change: async (current) => {
        const input = inputFor(current)
        requirePossibleStatus(current.status, input.status)
        if (input.agentId !== current.agentId) await requireAgent(scope, input.agentId)
        return { ...current, ...input }
      },
    })
    const details = { changed: changedFields(before, after), status: after.status }
    await recordChange(clock, scope, { action: 'task.update', type, id, details })
    return after
  }

  function recordCreation(scope: CallerScope, { id, title, status }: TaskRecord): Promise<void> {
    return recordChange(clock, scope, { action: 'task.create', type, id, details: { title, status } })
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

    /** `conversationId` names the conversation it came out of, where an agent makes it. */
    async create(
      scope: CallerScope,
      input: TaskInput,
      conversationId: string | null = null,
    ): Promise<TaskRecord> {
      await requireAgent(scope, input.agentId)
      const record = { ...newResource(clock, scope.caller.organizationId), ...input, conversationId }
      await addResource(kind, scope, record)
      await recordCreation(scope, record)
      return record
    },

    replace: (scope: CallerScope, meant: MeantVersion, input: TaskInput) => change(scope, meant, () => input),

    patch: (scope: CallerScope, meant: MeantVersion, patch: TaskPatch) =>
      change(scope, meant, (current) => applyPatch({ wire: Task, input: TaskInput }, current, patch)),

    /** Creates or replaces the task that another system knows by `externalId`, whoever else does so now. */
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
        await requireAgent(scope, input.agentId)
        await limits.requireRoom(scope, [oneMore('tasks')])
        const record = { ...newResource(clock, organizationId), ...input, conversationId: null }
        // Taken means that another call has just created it, or that it was deleted since: another attempt finds out.
        if (await tasks.insertUnlessTaken(record)) {
          await recordCreation(scope, record)
          return { resource: record, isNew: true }
        }
      }
      throw new DomainError(
        'Conflict',
        'The task is being created and deleted by others at this moment. Try again.',
      )
    },

    async remove(scope: CallerScope, meant: MeantVersion): Promise<undefined> {
      const { id, title } = await removeResource(kind, scope, meant)
      await recordChange(clock, scope, { action: 'task.delete', type, id, details: { title } })
    },
  }
}

async function requireAgent({ stores, caller }: CallerScope, agentId: string | null): Promise<void> {
  if (agentId === null || (await stores.agents.find(caller.organizationId, agentId)) !== null) return
  throw invalidRequest([{ path: 'agentId', message: 'names no agent of this organization' }])
}
