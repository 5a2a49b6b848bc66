// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { Budget, BudgetInput, BudgetPatch, BudgetUpsert } from '../schemas/budget.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { ListPromise } from '../../rest/list-promise.js'
import type { ChangeOptions, CreateOptions, DryRunOptions, RequestOptions } from '../../rest/request-options.js'
import { segment } from '../../rest/request-url.js'

export interface ListBudgetsQuery {
  /** The number of items to skip. Default: `0`. */
  Offset?: number | undefined
  /** The maximum number of items. Default: `50`. */
  Limit?: number | undefined
  /** Only budgets of this agent. */
  AgentId?: string | undefined
  /** Only budgets of this key. */
  ApiKeyId?: string | undefined
}

export class Budgets {
  readonly #http: HttpClient

  constructor(http: HttpClient) {
    this.#http = http
  }

  /**
   * List budgets.
   *
   * Requires the scope `usage:read`.
   *
   * @returns One page of the budgets.
   */
  list(query: ListBudgetsQuery = {}, options: RequestOptions = {}): ListPromise<Budget> {
    return this.#http.list({ method: 'GET', path: '/api/v1/Budget', query }, options)
  }

  /**
   * Create a budget.
   *
   * Requires the scope `usage:write`.
   *
   * @returns The stored budget.
   */
  create(body: BudgetInput, options: CreateOptions & DryRunOptions = {}): ApiPromise<Budget> {
    return this.#http.json({ method: 'POST', path: '/api/v1/Budget', body, takesIdempotencyKey: true }, options)
  }

  /**
   * Read a budget.
   *
   * Requires the scope `usage:read`.
   *
   * @returns The stored budget.
   */
  get(budgetId: string, options: RequestOptions = {}): ApiPromise<Budget> {
    return this.#http.json({ method: 'GET', path: `/api/v1/Budget/${segment('budgetId', budgetId)}` }, options)
  }

  /**
   * Replace a budget.
   *
   * Fields that are left out get their defaults. Usage of the current period keeps counting.
   *
   * Requires the scope `usage:write`.
   *
   * @returns The updated budget.
   */
  replace(
    budgetId: string,
    body: BudgetInput,
    options: ChangeOptions & DryRunOptions = {},
  ): ApiPromise<Budget> {
    return this.#http.json({ method: 'PUT', path: `/api/v1/Budget/${segment('budgetId', budgetId)}`, body }, options)
  }

  /**
   * Change a budget.
   *
   * A merge patch: fields that are left out stay, objects are merged, arrays are replaced as a whole.
   *
   * Requires the scope `usage:write`.
   *
   * @returns The updated budget.
   */
  patch(
    budgetId: string,
    body: BudgetPatch,
    options: ChangeOptions & DryRunOptions = {},
  ): ApiPromise<Budget> {
    return this.#http.json({ method: 'PATCH', path: `/api/v1/Budget/${segment('budgetId', budgetId)}`, body }, options)
  }

  /**
   * Delete a budget.
   *
   * The budget no longer limits anything. Usage stays recorded.
   *
   * Requires the scope `usage:write`.
   *
   * @returns The budget is deleted. The answer has no body.
   */
  delete(budgetId: string, options: ChangeOptions & DryRunOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'DELETE', path: `/api/v1/Budget/${segment('budgetId', budgetId)}` }, options)
  }

  /**
   * Create or replace a budget by its external id.
   *
   * Answers 201 if it created the budget, 200 if it replaced it. Safe to call concurrently: there is one
   * budget per external id. Fields that are left out get their defaults. Usage of the current period keeps
   * counting.
   *
   * Requires the scope `usage:write`.
   *
   * @returns The stored budget.
   */
  upsert(
    externalId: string,
    body: BudgetUpsert,
    options: ChangeOptions & DryRunOptions = {},
  ): ApiPromise<Budget> {
    return this.#http.json({ method: 'PUT', path: `/api/v1/Budget/external/${segment('externalId', externalId)}`, body }, options)
  }
}
