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
    'Fields left out fall back to their defaults. An impossible change of status is 409. A new status ends a run that goes on.',
  onDelete: 'It is gone for good; the audit log remembers it. A run that goes on is stopped.',
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
    summary: 'Let the assigned agent work a task',
    description:
      'In the background, across restarts: the answer comes at once, with the conversation in which the agent works. It ends with `status` done and its `result`, or failed, and `statusDetail` says why. 409 where it already runs, where no agent is assigned, and where it is cancelled.',
    scope: 'task:write',
    params: z.strictObject({ taskId: id().describe('The id of the task.') }),
    outcome: 'The task, with its `conversationId`; the run has begun.',
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
      'Answers 201 where it created the task, 200 where it replaced it. Safe to call at the same time from several places: one task per external id.',
    scope: 'task:write',
    params: z.strictObject({ externalId: writtenName(200).describe("The task's id in the other system.") }),
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
