import { and, eq, lt } from 'drizzle-orm'
import type { TaskFilter, TaskRecord, TaskStore } from '../../ports/task-store.js'
import type { Handle } from './handle.js'
import { lockRow } from './locks.js'
import { contains, resourceStore } from './resource-table.js'
import { task } from './schema.js'

export function makeTaskStore(handle: Handle): TaskStore {
  return {
    ...resourceStore<TaskRecord, TaskFilter>(handle, task, {
      matching: (filter) => [
        filter.status === undefined ? undefined : eq(task.status, filter.status),
        filter.agentId === undefined ? undefined : eq(task.agentId, filter.agentId),
        filter.dueBefore === undefined ? undefined : lt(task.dueAt, filter.dueBefore),
        contains(filter.search, task.title, task.description),
      ],
    }),

    async insertUnlessTaken(record) {
      const inserted = await handle
        .insert(task)
        .values(record)
        .onConflictDoNothing({ target: [task.organizationId, task.externalId] })
      return inserted.rowCount === 1
    },

    findByExternalIdLocked: (organizationId, externalId) =>
      lockRow(handle, task, and(eq(task.organizationId, organizationId), eq(task.externalId, externalId))),
  }
}
