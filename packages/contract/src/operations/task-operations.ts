import { z } from 'zod'
import { id, nameInput } from '../field.js'
import { defineOperation } from '../operation.js'
import { Task, TaskInput, TaskListQuery, TaskPage, TaskPatch, TaskUpsert } from '../task.js'
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
  onReplace:
    'Omitted fields are set to their defaults. An invalid status transition is rejected with 409. Changing the status ends the current run.',
  onDelete:
    'The task is deleted permanently, and its current run is stopped. The audit log keeps a record of the deletion.',
  changeErrors: ['Conflict', 'ErasureInProgress'],
})

export const taskOperations = {
  listTasks: task.list,
  createTask: task.create,
  getTask: task.get,
  replaceTask: task.replace,
  patchTask: task.patch,
  deleteTask: task.remove,
  runTask: defineOperation({
    operationId: 'runTask',
    method: 'POST',
    path: '/api/v1/Task/{taskId}/run',
    tag: 'Task',
    summary: 'Run a task',
    description:
      'Starts a run of the task by its agent. The response is returned immediately and contains the `conversationId`. The run continues in the background, even if the service restarts. When it ends, `status` is `done` and `result` is set, or `status` is `failed` and `statusDetail` contains the reason. The request is rejected with 409 if a run is already active, if no agent is assigned, or if the task is cancelled.',
    scope: 'task:write',
    params: z.strictObject({ taskId: id().describe('The ID of the task.') }),
    outcome: 'The task, with the `conversationId` of the run.',
    status: 202,
    response: Task,
    isIdempotent: true,
    isConditional: true,
    hasETag: true,
    errors: ['Conflict', 'ErasureInProgress'],
  }),
  upsertTask: defineOperation({
    operationId: 'upsertTask',
    method: 'PUT',
    path: '/api/v1/Task/external/{externalId}',
    tag: 'Task',
    summary: 'Create or replace a task by its external ID',
    description:
      'Returns 201 if the task was created, and 200 if it was replaced. Concurrent requests are safe: there is at most one task per external ID.',
    scope: 'task:write',
    params: z.strictObject({
      externalId: nameInput(200).describe('The ID of the task in the external system.'),
    }),
    body: TaskUpsert,
    outcome: 'The created or updated task.',
    status: 200,
    mayCreate: true,
    response: Task,
    isConditional: true,
    hasETag: true,
    errors: ['Conflict', 'ErasureInProgress'],
  }),
}
