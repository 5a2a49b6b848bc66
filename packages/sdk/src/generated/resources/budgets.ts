// Generated from the contract by `npm run generate`. Do not edit.

import type { Budget, BudgetInput, BudgetPatch, BudgetUpsert } from '../schemas/budget.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { ListPromise } from '../../rest/list-promise.js'
import type { ChangeOptions, CreateOptions, DryRunOptions, RequestOptions } from '../../rest/request-options.js'
import { segment } from '../../rest/request-url.js'

export interface ListBudgetsQuery {
  /** The number of items to skip. Default: `0`. */
  Offset?: number | undefined
  /** The maximum number of items to return. Default: `50`. */
  Limit?: number | undefined
  /** Only return budgets of this agent. */
  AgentId?: string | undefined
  /** Only return budgets of this API key. */
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
   * @returns The created budget.
   */
  create(body: BudgetInput, options: CreateOptions & DryRunOptions = {}): ApiPromise<Budget> {
    return this.#http.json({ method: 'POST', path: '/api/v1/Budget', body, takesIdempotencyKey: true }, options)
  }

  /**
   * Retrieve a budget.
   *
   * Requires the scope `usage:read`.
   *
   * @returns The requested budget.
   */
  get(budgetId: string, options: RequestOptions = {}): ApiPromise<Budget> {
    return this.#http.json({ method: 'GET', path: `/api/v1/Budget/${segment('budgetId', budgetId)}` }, options)
  }

  /**
   * Replace a budget.
   *
   * Omitted fields are set to their defaults. The usage in the current period is not reset.
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
   * Update a budget.
   *
   * Applies a JSON merge patch. Omitted fields keep their values, objects are merged, and arrays are replaced
   * as a whole.
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
   * The limit no longer applies. Recorded usage is kept.
   *
   * Requires the scope `usage:write`.
   *
   * @returns The budget was deleted. The response has no body.
   */
  delete(budgetId: string, options: ChangeOptions & DryRunOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'DELETE', path: `/api/v1/Budget/${segment('budgetId', budgetId)}` }, options)
  }

  /**
   * Create or replace a budget by its external ID.
   *
   * Returns 201 if the budget was created, and 200 if it was replaced. Concurrent requests are safe: there is
   * at most one budget per external ID. Omitted fields are set to their defaults. The usage in the current
   * period is not reset.
   *
   * Requires the scope `usage:write`.
   *
   * @returns The created or updated budget.
   */
  upsert(
    externalId: string,
    body: BudgetUpsert,
    options: ChangeOptions & DryRunOptions = {},
  ): ApiPromise<Budget> {
    return this.#http.json({ method: 'PUT', path: `/api/v1/Budget/external/${segment('externalId', externalId)}`, body }, options)
  }
}
