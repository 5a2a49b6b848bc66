// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { Usage } from '../schemas/usage.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { RequestOptions } from '../../rest/request-options.js'

export interface GetUsageQuery {
  /** Only what was used at or after this moment; 30 days before the end if left out. */
  From?: string | undefined
  /** Only what was used before this moment; now if left out. */
  To?: string | undefined
  /**
   * What to sum by: day, agent, key, model, connection, channel or rehearsal, or several of them with commas
   * between.
   */
  GroupBy?: string | undefined
  /** Only what this agent used. */
  AgentId?: string | undefined
  /** Only what was started with this key. */
  ApiKeyId?: string | undefined
  /** Only what was used over this connection. */
  ConnectionId?: string | undefined
  /** Only what this model used. */
  Model?: string | undefined
  /** Only what was used in text, or in sessions. */
  Channel?: 'text' | 'realtime' | undefined
  /** Only what was used of rehearsals, or only of what is none. */
  Rehearsal?: 'true' | 'false' | undefined
}

export class Usages {
  readonly #http: HttpClient

  constructor(http: HttpClient) {
    this.#http = http
  }

  /**
   * Sum up what was used.
   *
   * What models were used for, and what that cost, summed by what is asked for. What was answered has been
   * counted. Where the single records of a day are no longer kept, the day counts whole: `from` and `to` tell
   * what was summed up. More than 10 000 groups are refused.
   *
   * Needs the scope `usage:read`.
   *
   * @returns The sums, by group and of all of it.
   */
  get(query: GetUsageQuery = {}, options: RequestOptions = {}): ApiPromise<Usage> {
    return this.#http.json({ method: 'GET', path: '/api/v1/Usage', query }, options)
  }
}
