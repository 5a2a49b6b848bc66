// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { Task, TaskInput, TaskPatch, TaskUpsert } from '../schemas/task.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { ListPromise } from '../../rest/list-promise.js'
import type { ChangeOptions, CreateOptions, RequestOptions } from '../../rest/request-options.js'
import { segment } from '../../rest/request-url.js'

export interface ListTasksQuery {
  /** How many items to skip. Default: `0`. */
  Offset?: number | undefined
  /** How many items to answer at most. Default: `50`. */
  Limit?: number | undefined
  /** Only tasks of this status. */
  Status?: 'open' | 'in_progress' | 'done' | 'failed' | 'cancelled' | undefined
  /** Only tasks of this agent. */
  AgentId?: string | undefined
  /** Only tasks whose title or description holds this text. */
  Search?: string | undefined
  /** Only tasks due before this moment. */
  DueBefore?: string | undefined
}

export class Tasks {
  readonly #http: HttpClient

  constructor(http: HttpClient) {
    this.#http = http
  }

  /**
   * List tasks.
   *
   * Needs the scope `task:read`.
   *
   * @returns One page of the tasks.
   */
  list(query: ListTasksQuery = {}, options: RequestOptions = {}): ListPromise<Task> {
    return this.#http.list({ method: 'GET', path: '/api/v1/Task', query }, options)
  }

  /**
   * Create a task.
   *
   * Needs the scope `task:write`.
   *
   * @returns The task, as it is stored.
   */
  create(body: TaskInput, options: CreateOptions = {}): ApiPromise<Task> {
    return this.#http.json({ method: 'POST', path: '/api/v1/Task', body, takesIdempotencyKey: true }, options)
  }

  /**
   * Read a task.
   *
   * Needs the scope `task:read`.
   *
   * @returns The task, as it is stored.
   */
  get(taskId: string, options: RequestOptions = {}): ApiPromise<Task> {
    return this.#http.json({ method: 'GET', path: `/api/v1/Task/${segment('taskId', taskId)}` }, options)
  }

  /**
   * Replace a task.
   *
   * Fields left out fall back to their defaults. An impossible change of status is 409. A new status ends a
   * run that goes on.
   *
   * Needs the scope `task:write`.
   *
   * @returns The task, as it is stored now.
   */
  replace(taskId: string, body: TaskInput, options: ChangeOptions = {}): ApiPromise<Task> {
    return this.#http.json({ method: 'PUT', path: `/api/v1/Task/${segment('taskId', taskId)}`, body }, options)
  }

  /**
   * Change a task.
   *
   * A merge patch: fields left out stay, objects are merged, arrays are replaced whole.
   *
   * Needs the scope `task:write`.
   *
   * @returns The whole task, as it is stored now.
   */
  patch(taskId: string, body: TaskPatch, options: ChangeOptions = {}): ApiPromise<Task> {
    return this.#http.json({ method: 'PATCH', path: `/api/v1/Task/${segment('taskId', taskId)}`, body }, options)
  }

  /**
   * Delete a task.
   *
   * It is gone for good; the audit log remembers it. A run that goes on is stopped.
   *
   * Needs the scope `task:write`.
   *
   * @returns The task is deleted; there is no body.
   */
  delete(taskId: string, options: ChangeOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'DELETE', path: `/api/v1/Task/${segment('taskId', taskId)}` }, options)
  }

  /**
   * Let the assigned agent work a task.
   *
   * In the background, across restarts: the answer comes at once, with the conversation in which the agent
   * works. It ends with `status` done and its `result`, or failed, and `statusDetail` says why. 409 where it
   * already runs, where no agent is assigned, and where it is cancelled.
   *
   * Needs the scope `task:write`.
   *
   * @returns The task, with its `conversationId`; the run has begun.
   */
  run(taskId: string, options: CreateOptions = {}): ApiPromise<Task> {
    return this.#http.json({ method: 'POST', path: `/api/v1/Task/${segment('taskId', taskId)}/run`, takesIdempotencyKey: true, isLong: true }, options)
  }

  /**
   * Create or replace a task of another system.
   *
   * Answers 201 where it created the task, 200 where it replaced it. Safe to call at the same time from
   * several places: one task per external id.
   *
   * Needs the scope `task:write`.
   *
   * @returns The task, as it is stored.
   */
  upsert(externalId: string, body: TaskUpsert, options: ChangeOptions = {}): ApiPromise<Task> {
    return this.#http.json({ method: 'PUT', path: `/api/v1/Task/external/${segment('externalId', externalId)}`, body }, options)
  }
}
