import { z } from 'zod'
import { id, writtenName } from '../field.js'
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
    'Fields that are left out get their defaults. An invalid change of status is answered with 409. A new status ends the current run.',
  onDelete: 'The task is deleted permanently. The audit log keeps a record. A current run is stopped.',
  changeRefusals: ['Conflict'],
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
    summary: 'Run a task with its agent',
    description:
      'The run continues in the background and across restarts. The answer comes immediately and names the conversation. The run ends with `status` done and a `result`, or failed with a reason in `statusDetail`. 409 if a run is active, no agent is assigned, or the task is cancelled.',
    scope: 'task:write',
    params: z.strictObject({ taskId: id().describe('The id of the task.') }),
    outcome: 'The task, with its `conversationId`. The run has begun.',
    status: 202,
    answer: Task,
    isIdempotent: true,
    isConditional: true,
    hasETag: true,
    refusals: ['Conflict'],
  }),
  upsertTask: defineOperation({
    operationId: 'upsertTask',
    method: 'PUT',
    path: '/api/v1/Task/external/{externalId}',
    tag: 'Task',
    summary: 'Create or replace a task of another system',
    description:
      'Answers 201 if it created the task, 200 if it replaced it. Safe to call concurrently: there is one task per external id.',
    scope: 'task:write',
    params: z.strictObject({ externalId: writtenName(200).describe("The task's id in the other system.") }),
    body: TaskUpsert,
    outcome: 'The stored task.',
    status: 200,
    mayCreate: true,
    answer: Task,
    isConditional: true,
    hasETag: true,
    refusals: ['Conflict'],
  }),
}
