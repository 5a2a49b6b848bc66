// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { Usage } from '../schemas/usage.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { RequestOptions } from '../../rest/request-options.js'

export interface GetUsageQuery {
  /** Only usage at or after this time. Default: 30 days before the end. */
  From?: string | undefined
  /** Only usage before this time. Default: now. */
  To?: string | undefined
  /**
   * The groups: day, agent, key, model, connection, channel or rehearsal, or several of them separated by
   * commas.
   */
  GroupBy?: string | undefined
  /** Only usage of this agent. */
  AgentId?: string | undefined
  /** Only usage started with this key. */
  ApiKeyId?: string | undefined
  /** Only usage over this connection. */
  ConnectionId?: string | undefined
  /** Only usage of this model. */
  Model?: string | undefined
  /** Only usage in text, or only in sessions. */
  Channel?: 'text' | 'realtime' | undefined
  /** Only all usage of rehearsals, or only those outside of rehearsals. */
  Rehearsal?: 'true' | 'false' | undefined
}

export class Usages {
  readonly #http: HttpClient

  constructor(http: HttpClient) {
    this.#http = http
  }

  /**
   * Sum up usage.
   *
   * Usage and cost of models, grouped as requested. Every finished answer is included. If the single records
   * of a day are no longer kept, the whole day counts: `from` and `to` give the covered time. More than 10 000
   * groups are rejected.
   *
   * Requires the scope `usage:read`.
   *
   * @returns The sums by group, and of all groups.
   */
  get(query: GetUsageQuery = {}, options: RequestOptions = {}): ApiPromise<Usage> {
    return this.#http.json({ method: 'GET', path: '/api/v1/Usage', query }, options)
  }
}
