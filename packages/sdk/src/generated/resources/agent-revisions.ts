// Generated from the contract by `npm run generate`. What is changed here is lost.

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
  /** The maximum number of items. Default: `50`. */
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
   * Who changed what, and when. The newest 100 revisions are kept.
   *
   * Requires the scope `agent:read`.
   *
   * @returns One page of the revisions, without the agents.
   */
  list(
    agentId: string,
    query: ListAgentRevisionsQuery = {},
    options: RequestOptions = {},
  ): ListPromise<AgentRevisionSummary> {
    return this.#http.list({ method: 'GET', path: `/api/v1/Agent/${segment('agentId', agentId)}/revision`, query }, options)
  }

  /**
   * Read a revision of an agent.
   *
   * Requires the scope `agent:read`.
   *
   * @returns The revision, with the agent at that time.
   */
  get(agentId: string, number: number, options: RequestOptions = {}): ApiPromise<AgentRevision> {
    return this.#http.json({ method: 'GET', path: `/api/v1/Agent/${segment('agentId', agentId)}/revision/${segment('number', String(number))}` }, options)
  }

  /**
   * Restore a revision of an agent.
   *
   * Restores the agent, including header values of its tools, as a new revision. It is checked like a
   * replacement: a reference to a deleted resource is rejected with the field.
   *
   * Requires the scope `agent:write`.
   *
   * @returns The agent, as it is stored now.
   */
  restore(agentId: string, number: number, options: ChangeOptions & DryRunOptions = {}): ApiPromise<Agent> {
    return this.#http.json({ method: 'POST', path: `/api/v1/Agent/${segment('agentId', agentId)}/revision/${segment('number', String(number))}/restore` }, options)
  }
}
