// Generated from the contract by `npm run generate`. Do not edit.

import type { AgentRevision, AgentRevisionSummary } from '../schemas/agent-revision.js'
import type { Agent } from '../schemas/agent.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { ListPromise } from '../../rest/list-promise.js'
import type { ChangeOptions, DryRunOptions, RequestOptions } from '../../rest/request-options.js'
import { segment } from '../../rest/request-url.js'

export interface ListAgentRevisionsQuery {
  /** The number of items to skip. Default: `0`. */
  Offset?: number | undefined
  /** The maximum number of items to return. Default: `50`. */
  Limit?: number | undefined
}

export class AgentRevisions {
  readonly #http: HttpClient

  constructor(http: HttpClient) {
    this.#http = http
  }

  /**
   * List the revisions of an agent.
   *
   * Returns the changes to an agent, with their time and actor. The last 100 revisions are kept.
   *
   * Requires the scope `agent:read`.
   *
   * @returns One page of the revisions, without the agent itself.
   */
  list(
    agentId: string,
    query: ListAgentRevisionsQuery = {},
    options: RequestOptions = {},
  ): ListPromise<AgentRevisionSummary> {
    return this.#http.list({ method: 'GET', path: `/api/v1/Agent/${segment('agentId', agentId)}/revision`, query }, options)
  }

  /**
   * Retrieve a revision of an agent.
   *
   * Requires the scope `agent:read`.
   *
   * @returns The revision, including the agent after the change.
   */
  get(agentId: string, number: number, options: RequestOptions = {}): ApiPromise<AgentRevision> {
    return this.#http.json({ method: 'GET', path: `/api/v1/Agent/${segment('agentId', agentId)}/revision/${segment('number', String(number))}` }, options)
  }

  /**
   * Restore a revision of an agent.
   *
   * Restores the agent, including the header values of its tools, and records this as a new revision. The
   * restored agent is validated like a replacement. If it references a deleted resource, the request is
   * rejected.
   *
   * Requires the scope `agent:write`.
   *
   * @returns The restored agent.
   */
  restore(agentId: string, number: number, options: ChangeOptions & DryRunOptions = {}): ApiPromise<Agent> {
    return this.#http.json({ method: 'POST', path: `/api/v1/Agent/${segment('agentId', agentId)}/revision/${segment('number', String(number))}/restore` }, options)
  }
}
