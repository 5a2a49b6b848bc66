// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { AgentRevision, AgentRevisionSummary } from '../schemas/agent-revision.js'
import type { Agent } from '../schemas/agent.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { ListPromise } from '../../rest/list-promise.js'
import type { ChangeOptions, DryRunOptions, RequestOptions } from '../../rest/request-options.js'
import { segment } from '../../rest/request-url.js'

export interface ListAgentRevisionsQuery {
  /** How many items to skip. Default: `0`. */
  Offset?: number | undefined
  /** How many items to answer at most. Default: `50`. */
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
   * Who changed what, and when. The newest 100 are kept.
   *
   * Needs the scope `agent:read`.
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
   * Needs the scope `agent:read`.
   *
   * @returns The revision, with the agent as it was then.
   */
  get(agentId: string, number: number, options: RequestOptions = {}): ApiPromise<AgentRevision> {
    return this.#http.json({ method: 'GET', path: `/api/v1/Agent/${segment('agentId', agentId)}/revision/${segment('number', String(number))}` }, options)
  }

  /**
   * Restore a revision of an agent.
   *
   * Makes the agent what it was then, header values of its tools included, as a new revision. It is checked as
   * a replacement is: what it names and is gone since is refused with the field.
   *
   * Needs the scope `agent:write`.
   *
   * @returns The agent, as it is stored now.
   */
  restore(agentId: string, number: number, options: ChangeOptions & DryRunOptions = {}): ApiPromise<Agent> {
    return this.#http.json({ method: 'POST', path: `/api/v1/Agent/${segment('agentId', agentId)}/revision/${segment('number', String(number))}/restore` }, options)
  }
}
