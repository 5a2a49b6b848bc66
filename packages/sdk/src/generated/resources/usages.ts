// Generated from the contract by `npm run generate`. Do not edit.

import type { Usage } from '../schemas/usage.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { RequestOptions } from '../../rest/request-options.js'

export interface GetUsageQuery {
  /** Only return usage at or after this time. If omitted, 30 days before `To`. */
  From?: string | undefined
  /** Only return usage before this time. If omitted, the current time. */
  To?: string | undefined
  /**
   * The dimensions to group by, separated by commas: `day`, `agent`, `key`, `model`, `connection`, `channel`,
   * `rehearsal` and `endUser`. With `endUser`, only usage with individual records is returned.
   */
  GroupBy?: string | undefined
  /** Only return usage of this agent. */
  AgentId?: string | undefined
  /** Only return usage that was started with this API key. */
  ApiKeyId?: string | undefined
  /** Only return usage of this connection or phone connection. */
  ConnectionId?: string | undefined
  /** Only return usage of this model. */
  Model?: string | undefined
  /**
   * Only return usage of this channel: text turns (`text`), realtime sessions (`realtime`) or the minutes of
   * telephone calls (`telephone`).
   */
  Channel?: 'text' | 'realtime' | 'telephone' | undefined
  /** If `true`, only return the usage of rehearsals (test mode). If `false`, exclude them. */
  Rehearsal?: 'true' | 'false' | undefined
  /** Only return usage of this end user, as far as individual records exist. */
  EndUserId?: string | undefined
}

export class Usages {
  readonly #http: HttpClient

  constructor(http: HttpClient) {
    this.#http = http
  }

  /**
   * Retrieve usage.
   *
   * Returns the usage and cost of models, grouped by the requested dimensions. All completed responses are
   * included. For days whose individual records have expired, only daily totals exist. `from` and `to` contain
   * the period that is actually covered. The request is rejected if the result has more than 10,000 groups.
   *
   * Requires the scope `usage:read`.
   *
   * @returns The usage by group, and the totals.
   */
  get(query: GetUsageQuery = {}, options: RequestOptions = {}): ApiPromise<Usage> {
    return this.#http.json({ method: 'GET', path: '/api/v1/Usage', query }, options)
  }
}
