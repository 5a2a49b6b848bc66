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
import type { Caller } from '../caller.js'
import { DomainError, invalidRequest } from '../domain-error.js'
import { changedFields } from '../resources/changed-fields.js'
import { type IfMatch, stale } from '../resources/if-match.js'
import { newResource } from '../resources/new-resource.js'
import {
  addResource,
  applyPatch,
  changeResource,
  listResources,
  readResource,
  removeResource,
} from '../resources/resource.js'
import { requirePossibleStatus } from './task-status.js'

const kind = {
  type: 'Task',
  store: (stores: Stores) => stores.tasks,
  duplicate: 'Another task of this organization has this externalId.',
} as const

const upsertAttempts = 5

export type Tasks = ReturnType<typeof makeTasks>

export function makeTasks({ clock }: { readonly clock: Clock }) {
  async function change(
    stores: Stores,
    caller: Caller,
    id: string,
    ifMatch: IfMatch,
    inputFor: (current: TaskRecord) => TaskInput,
  ): Promise<TaskRecord> {
    let before: TaskRecord | undefined
    const after = await changeResource(kind, stores, clock, caller, id, ifMatch, async (current) => {
      before = current
      const input = inputFor(current)
      requirePossibleStatus(current.status, input.status)
      if (input.agentId !== current.agentId) await requireAgent(stores, caller, input.agentId)
      return { ...current, ...input }
    })
    const details = { changed: changedFields(before ?? {}, after), status: after.status }
    await recordChange(stores, clock, caller, { action: 'task.update', type: kind.type, id, details })
    return after
  }

  async function announceCreation(stores: Stores, caller: Caller, record: TaskRecord): Promise<void> {
    const details = { title: record.title, status: record.status }
    await recordChange(stores, clock, caller, {
      action: 'task.create',
      type: kind.type,
      id: record.id,
      details,
    })
  }

  return {
    list(stores: Stores, caller: Caller, query: TaskListQuery): Promise<Page<TaskRecord>> {
      const filter = {
        status: query.Status,
        agentId: query.AgentId,
        search: query.Search,
        dueBefore: query.DueBefore,
      }
      return listResources(kind, stores, caller, filter, query)
    },

    read: (stores: Stores, caller: Caller, id: string) => readResource(kind, stores, caller, id),

    /** `conversationId` names the conversation it came out of, where an agent makes it. */
    async create(
      stores: Stores,
      caller: Caller,
      input: TaskInput,
      conversationId: string | null = null,
    ): Promise<TaskRecord> {
      await requireAgent(stores, caller, input.agentId)
      const record = { ...newResource(clock, caller.organizationId), ...input, conversationId }
      await addResource(kind, stores, record)
      await announceCreation(stores, caller, record)
      return record
    },

    replace: (stores: Stores, caller: Caller, id: string, ifMatch: IfMatch, input: TaskInput) =>
      change(stores, caller, id, ifMatch, () => input),

    patch: (stores: Stores, caller: Caller, id: string, ifMatch: IfMatch, patch: TaskPatch) =>
      change(stores, caller, id, ifMatch, (current) => applyPatch(Task, TaskInput, current, patch)),

    /** Creates or replaces the task that another system knows by `externalId`, whoever else does so now. */
    async upsert(
      stores: Stores,
      caller: Caller,
      externalId: string,
      ifMatch: IfMatch,
      upsert: TaskUpsert,
    ): Promise<TaskRecord> {
      const input = { ...upsert, externalId }
      for (let attempt = 0; attempt < upsertAttempts; attempt += 1) {
        const current = await stores.tasks.findByExternalIdLocked(caller.organizationId, externalId)
        if (current !== null) return change(stores, caller, current.id, ifMatch, () => input)
        if (ifMatch !== null) throw stale()
        await requireAgent(stores, caller, input.agentId)
        const record = { ...newResource(clock, caller.organizationId), ...input, conversationId: null }
        // Taken means that another call has just created it, or that it was deleted since: look again.
        if (await stores.tasks.insertUnlessTaken(record)) {
          await announceCreation(stores, caller, record)
          return record
        }
      }
      throw new DomainError(
        'Conflict',
        'The task is being created and deleted by others at this moment. Try again.',
      )
    },

    async remove(stores: Stores, caller: Caller, id: string, ifMatch: IfMatch): Promise<undefined> {
      const removed = await removeResource(kind, stores, clock, caller, id, ifMatch)
      const details = { title: removed.title }
      await recordChange(stores, clock, caller, { action: 'task.delete', type: kind.type, id, details })
    },
  }
}

async function requireAgent(stores: Stores, caller: Caller, agentId: string | null): Promise<void> {
  if (agentId === null || (await stores.agents.find(caller.organizationId, agentId)) !== null) return
  throw invalidRequest([{ path: 'agentId', message: 'names no agent of this organization' }])
}
