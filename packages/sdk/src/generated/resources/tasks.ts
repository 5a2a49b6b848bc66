// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { Task, TaskInput, TaskPatch, TaskUpsert } from '../schemas/task.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { ListPromise } from '../../rest/list-promise.js'
import type { ChangeOptions, CreateOptions, RequestOptions } from '../../rest/request-options.js'
import { segment } from '../../rest/request-url.js'

export interface ListTasksQuery {
  /** The number of items to skip. Default: `0`. */
  Offset?: number | undefined
  /** The maximum number of items. Default: `50`. */
  Limit?: number | undefined
  /** Only tasks with this status. */
  Status?: 'open' | 'in_progress' | 'done' | 'failed' | 'cancelled' | undefined
  /** Only tasks of this agent. */
  AgentId?: string | undefined
  /** Only tasks whose title or description contains this text. */
  Search?: string | undefined
  /** Only tasks due before this time. */
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
   * @returns The stored task.
   */
  create(body: TaskInput, options: CreateOptions = {}): ApiPromise<Task> {
    return this.#http.json({ method: 'POST', path: '/api/v1/Task', body, takesIdempotencyKey: true }, options)
  }

  /**
   * Read a task.
   *
   * Requires the scope `task:read`.
   *
   * @returns The stored task.
   */
  get(taskId: string, options: RequestOptions = {}): ApiPromise<Task> {
    return this.#http.json({ method: 'GET', path: `/api/v1/Task/${segment('taskId', taskId)}` }, options)
  }

  /**
   * Replace a task.
   *
   * Fields that are left out get their defaults. An invalid change of status is answered with 409. A new
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
   * Change a task.
   *
   * A merge patch: fields that are left out stay, objects are merged, arrays are replaced as a whole.
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
   * The task is deleted permanently. The audit log keeps a record. A current run is stopped.
   *
   * Requires the scope `task:write`.
   *
   * @returns The task is deleted. The answer has no body.
   */
  delete(taskId: string, options: ChangeOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'DELETE', path: `/api/v1/Task/${segment('taskId', taskId)}` }, options)
  }

  /**
   * Run a task with its agent.
   *
   * The run continues in the background and across restarts. The answer comes immediately and names the
   * conversation. The run ends with `status` done and a `result`, or failed with a reason in `statusDetail`.
   * 409 if a run is active, no agent is assigned, or the task is cancelled.
   *
   * Requires the scope `task:write`.
   *
   * @returns The task, with its `conversationId`. The run has begun.
   */
  run(taskId: string, options: CreateOptions = {}): ApiPromise<Task> {
    return this.#http.json({ method: 'POST', path: `/api/v1/Task/${segment('taskId', taskId)}/run`, takesIdempotencyKey: true, isLong: true }, options)
  }

  /**
   * Create or replace a task of another system.
   *
   * Answers 201 if it created the task, 200 if it replaced it. Safe to call concurrently: there is one task
   * per external id.
   *
   * Requires the scope `task:write`.
   *
   * @returns The stored task.
   */
  upsert(externalId: string, body: TaskUpsert, options: ChangeOptions = {}): ApiPromise<Task> {
    return this.#http.json({ method: 'PUT', path: `/api/v1/Task/external/${segment('externalId', externalId)}`, body }, options)
  }
}
