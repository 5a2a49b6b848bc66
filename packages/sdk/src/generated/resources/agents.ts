// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { Agent, AgentInput, AgentPatch, AgentUpsert, OfferedToolList, ToolTrial, ToolTrialInput } from '../schemas/agent.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { ListPromise } from '../../rest/list-promise.js'
import type { ChangeOptions, CreateOptions, DryRunOptions, RequestOptions } from '../../rest/request-options.js'
import { segment } from '../../rest/request-url.js'

export interface ListAgentsQuery {
  /** The number of items to skip. Default: `0`. */
  Offset?: number | undefined
  /** The maximum number of items. Default: `50`. */
  Limit?: number | undefined
  /** Only agents whose name or description contains this text. */
  Search?: string | undefined
}

export class Agents {
  readonly #http: HttpClient

  constructor(http: HttpClient) {
    this.#http = http
  }

  /**
   * List agents.
   *
   * Requires the scope `agent:read`.
   *
   * @returns One page of the agents.
   */
  list(query: ListAgentsQuery = {}, options: RequestOptions = {}): ListPromise<Agent> {
    return this.#http.list({ method: 'GET', path: '/api/v1/Agent', query }, options)
  }

  /**
   * Create an agent.
   *
   * Requires the scope `agent:write`.
   *
   * @returns The stored agent.
   */
  create(body: AgentInput, options: CreateOptions & DryRunOptions = {}): ApiPromise<Agent> {
    return this.#http.json({ method: 'POST', path: '/api/v1/Agent', body, takesIdempotencyKey: true }, options)
  }

  /**
   * Read an agent.
   *
   * Requires the scope `agent:read`.
   *
   * @returns The stored agent.
   */
  get(agentId: string, options: RequestOptions = {}): ApiPromise<Agent> {
    return this.#http.json({ method: 'GET', path: `/api/v1/Agent/${segment('agentId', agentId)}` }, options)
  }

  /**
   * Replace an agent.
   *
   * Fields that are left out get their defaults. Headers that are left out keep their values, unless the
   * address changes.
   *
   * Requires the scope `agent:write`.
   *
   * @returns The updated agent.
   */
  replace(agentId: string, body: AgentInput, options: ChangeOptions & DryRunOptions = {}): ApiPromise<Agent> {
    return this.#http.json({ method: 'PUT', path: `/api/v1/Agent/${segment('agentId', agentId)}`, body }, options)
  }

  /**
   * Change an agent.
   *
   * A merge patch: fields that are left out stay, objects are merged, arrays are replaced as a whole.
   *
   * Requires the scope `agent:write`.
   *
   * @returns The updated agent.
   */
  patch(agentId: string, body: AgentPatch, options: ChangeOptions & DryRunOptions = {}): ApiPromise<Agent> {
    return this.#http.json({ method: 'PATCH', path: `/api/v1/Agent/${segment('agentId', agentId)}`, body }, options)
  }

  /**
   * Delete an agent.
   *
   * The agent disappears from lists and rejects new work. Its conversations stay readable.
   *
   * Requires the scope `agent:write`.
   *
   * @returns The agent is deleted. The answer has no body.
   */
  delete(agentId: string, options: ChangeOptions & DryRunOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'DELETE', path: `/api/v1/Agent/${segment('agentId', agentId)}` }, options)
  }

  /**
   * Create or replace an agent by its external id.
   *
   * Answers 201 if it created the agent, 200 if it replaced it. Safe to call concurrently: there is one agent
   * per external id. Fields that are left out get their defaults. Headers that are left out keep their values,
   * unless the address changes.
   *
   * Requires the scope `agent:write`.
   *
   * @returns The stored agent.
   */
  upsert(
    externalId: string,
    body: AgentUpsert,
    options: ChangeOptions & DryRunOptions = {},
  ): ApiPromise<Agent> {
    return this.#http.json({ method: 'PUT', path: `/api/v1/Agent/external/${segment('externalId', externalId)}`, body }, options)
  }

  /**
   * List the tools of an agent.
   *
   * The tools as the model sees them: each tool of its MCP servers, with what the servers declare, and its
   * sub-agents. The service asks servers whose lists are older than a minute. If a server does not answer
   * within five seconds, its last list is used.
   *
   * Requires the scope `agent:read`.
   *
   * @returns The tools of the model.
   */
  listTools(agentId: string, options: RequestOptions = {}): ApiPromise<OfferedToolList> {
    return this.#http.json({ method: 'GET', path: `/api/v1/Agent/${segment('agentId', agentId)}/tool` }, options)
  }

  /**
   * Try a tool.
   *
   * Checks the arguments and shows the request that would be sent. With `dryRun` false the tool runs without
   * approval, and the audit log records it. A tool that needs approval then requires the scope
   * `approval:decide`.
   *
   * Requires the scope `agent:write`.
   *
   * @returns The request that would be sent, or the result of the call.
   */
  testTool(
    agentId: string,
    toolName: string,
    body: ToolTrialInput = {},
    options: RequestOptions = {},
  ): ApiPromise<ToolTrial> {
    return this.#http.json({ method: 'POST', path: `/api/v1/Agent/${segment('agentId', agentId)}/tool/${segment('toolName', toolName)}/test`, body }, options)
  }
}
