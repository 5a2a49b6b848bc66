// Generated from the contract by `npm run generate`. Do not edit.

import type { Task, TaskInput, TaskPatch, TaskUpsert } from '../schemas/task.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { ListPromise } from '../../rest/list-promise.js'
import type { ChangeOptions, CreateOptions, RequestOptions } from '../../rest/request-options.js'
import { segment } from '../../rest/request-url.js'

export interface ListTasksQuery {
  /** The number of items to skip. Default: `0`. */
  Offset?: number | undefined
  /** The maximum number of items to return. Default: `50`. */
  Limit?: number | undefined
  /** Only return tasks with this status. */
  Status?: 'open' | 'in_progress' | 'done' | 'failed' | 'cancelled' | undefined
  /** Only return tasks of this agent. */
  AgentId?: string | undefined
  /** Only return tasks whose title or description contains this text. */
  Search?: string | undefined
  /** Only return tasks due before this time. */
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
   * Requires the scope `task:read`.
   *
   * @returns One page of the tasks.
   */
  list(query: ListTasksQuery = {}, options: RequestOptions = {}): ListPromise<Task> {
    return this.#http.list({ method: 'GET', path: '/api/v1/Task', query }, options)
  }

  /**
   * Create a task.
   *
   * Requires the scope `task:write`.
   *
   * @returns The created task.
   */
  create(body: TaskInput, options: CreateOptions = {}): ApiPromise<Task> {
    return this.#http.json({ method: 'POST', path: '/api/v1/Task', body, takesIdempotencyKey: true }, options)
  }

  /**
   * Retrieve a task.
   *
   * Requires the scope `task:read`.
   *
   * @returns The requested task.
   */
  get(taskId: string, options: RequestOptions = {}): ApiPromise<Task> {
    return this.#http.json({ method: 'GET', path: `/api/v1/Task/${segment('taskId', taskId)}` }, options)
  }

  /**
   * Replace a task.
   *
   * Omitted fields are set to their defaults. An invalid status transition is rejected with 409. Changing the
   * status ends the current run.
   *
   * Requires the scope `task:write`.
   *
   * @returns The updated task.
   */
  replace(taskId: string, body: TaskInput, options: ChangeOptions = {}): ApiPromise<Task> {
    return this.#http.json({ method: 'PUT', path: `/api/v1/Task/${segment('taskId', taskId)}`, body }, options)
  }

  /**
   * Update a task.
   *
   * Applies a JSON merge patch. Omitted fields keep their values, objects are merged, and arrays are replaced
   * as a whole.
   *
   * Requires the scope `task:write`.
   *
   * @returns The updated task.
   */
  patch(taskId: string, body: TaskPatch, options: ChangeOptions = {}): ApiPromise<Task> {
    return this.#http.json({ method: 'PATCH', path: `/api/v1/Task/${segment('taskId', taskId)}`, body }, options)
  }

  /**
   * Delete a task.
   *
   * The task is deleted permanently, and its current run is stopped. The audit log keeps a record of the
   * deletion.
   *
   * Requires the scope `task:write`.
   *
   * @returns The task was deleted. The response has no body.
   */
  delete(taskId: string, options: ChangeOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'DELETE', path: `/api/v1/Task/${segment('taskId', taskId)}` }, options)
  }

  /**
   * Run a task.
   *
   * Starts a run of the task by its agent. The response is returned immediately and contains the
   * `conversationId`. The run continues in the background, even if the service restarts. When it ends,
   * `status` is `done` and `result` is set, or `status` is `failed` and `statusDetail` contains the reason.
   * The request is rejected with 409 if a run is already active, if no agent is assigned, or if the task is
   * cancelled.
   *
   * Requires the scope `task:write`.
   *
   * @returns The task, with the `conversationId` of the run.
   */
  run(taskId: string, options: CreateOptions = {}): ApiPromise<Task> {
    return this.#http.json({ method: 'POST', path: `/api/v1/Task/${segment('taskId', taskId)}/run`, takesIdempotencyKey: true, isLong: true }, options)
  }

  /**
   * Create or replace a task by its external ID.
   *
   * Returns 201 if the task was created, and 200 if it was replaced. Concurrent requests are safe: there is at
   * most one task per external ID.
   *
   * Requires the scope `task:write`.
   *
   * @returns The created or updated task.
   */
  upsert(externalId: string, body: TaskUpsert, options: ChangeOptions = {}): ApiPromise<Task> {
    return this.#http.json({ method: 'PUT', path: `/api/v1/Task/external/${segment('externalId', externalId)}`, body }, options)
  }
}
