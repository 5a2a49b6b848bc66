// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { Budget, BudgetInput, BudgetPatch, BudgetUpsert } from '../schemas/budget.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { ListPromise } from '../../rest/list-promise.js'
import type { ChangeOptions, CreateOptions, DryRunOptions, RequestOptions } from '../../rest/request-options.js'
import { segment } from '../../rest/request-url.js'

export interface ListBudgetsQuery {
  /** How many items to skip. Default: `0`. */
  Offset?: number | undefined
  /** How many items to answer at most. Default: `50`. */
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
   * Needs the scope `usage:read`.
   *
   * @returns One page of the budgets.
   */
  list(query: ListBudgetsQuery = {}, options: RequestOptions = {}): ListPromise<Budget> {
    return this.#http.list({ method: 'GET', path: '/api/v1/Budget', query }, options)
  }

  /**
   * Create a budget.
   *
   * Needs the scope `usage:write`.
   *
   * @returns The budget, as it is stored.
   */
  create(body: BudgetInput, options: CreateOptions & DryRunOptions = {}): ApiPromise<Budget> {
    return this.#http.json({ method: 'POST', path: '/api/v1/Budget', body, takesIdempotencyKey: true }, options)
  }

  /**
   * Read a budget.
   *
   * Needs the scope `usage:read`.
   *
   * @returns The budget, as it is stored.
   */
  get(budgetId: string, options: RequestOptions = {}): ApiPromise<Budget> {
    return this.#http.json({ method: 'GET', path: `/api/v1/Budget/${segment('budgetId', budgetId)}` }, options)
  }

  /**
   * Replace a budget.
   *
   * Fields left out fall back to their defaults. What was used in the period counts on.
   *
   * Needs the scope `usage:write`.
   *
   * @returns The budget, as it is stored now.
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
   * A merge patch: fields left out stay, objects are merged, arrays are replaced whole.
   *
   * Needs the scope `usage:write`.
   *
   * @returns The whole budget, as it is stored now.
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
   * It limits nothing any more; what was used stays counted.
   *
   * Needs the scope `usage:write`.
   *
   * @returns The budget is deleted; there is no body.
   */
  delete(budgetId: string, options: ChangeOptions & DryRunOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'DELETE', path: `/api/v1/Budget/${segment('budgetId', budgetId)}` }, options)
  }

  /**
   * Create or replace a budget by its external id.
   *
   * Answers 201 where it created the budget, 200 where it replaced it. Safe to call at the same time from
   * several places: one budget per external id. Fields left out fall back to their defaults. What was used in
   * the period counts on.
   *
   * Needs the scope `usage:write`.
   *
   * @returns The budget, as it is stored.
   */
  upsert(
    externalId: string,
    body: BudgetUpsert,
    options: ChangeOptions & DryRunOptions = {},
  ): ApiPromise<Budget> {
    return this.#http.json({ method: 'PUT', path: `/api/v1/Budget/external/${segment('externalId', externalId)}`, body }, options)
  }
}
