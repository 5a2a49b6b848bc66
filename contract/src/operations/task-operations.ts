import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { ExternalId, Task, TaskInput, TaskListQuery, TaskPage, TaskPatch, TaskUpsert } from '../task.js'
import { resourceOperations } from './resource-operations.js'

const task = resourceOperations({
  name: 'Task',
  noun: 'a task',
  param: 'taskId',
  read: 'task:read',
  write: 'task:write',
  listQuery: TaskListQuery,
  page: TaskPage,
  input: TaskInput,
  patch: TaskPatch,
  resource: Task,
  onReplace: 'Fields left out fall back to their defaults. An impossible change of status is 409.',
  onDelete: 'It is gone for good; the audit log remembers it.',
  changeRefusals: ['Conflict'],
})

export const taskOperations = {
  listTasks: task.list,
  createTask: task.create,
  getTask: task.get,
  replaceTask: task.replace,
  patchTask: task.patch,
  deleteTask: task.remove,
  upsertTask: defineOperation({
    operationId: 'upsertTask',
    method: 'PUT',
    path: '/api/v1/Task/external/{externalId}',
    tag: 'Task',
    summary: 'Create or replace a task of another system',
    description:
      'Answers 201 where it created the task, 200 where it replaced it. Safe to call at the same time from several places: one task per external id.',
    scope: 'task:write',
    params: z.strictObject({ externalId: ExternalId.describe("The task's id in the other system.") }),
    body: TaskUpsert,
    outcome: 'The task, as it is stored.',
    status: 200,
    mayCreate: true,
    answer: Task,
    isConditional: true,
    hasETag: true,
    refusals: ['Conflict'],
  }),
}
