// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { Agent, AgentInput, AgentPatch, AgentUpsert, OfferedToolList, ToolTrial, ToolTrialInput } from '../schemas/agent.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { ListPromise } from '../../rest/list-promise.js'
import type { ChangeOptions, CreateOptions, DryRunOptions, RequestOptions } from '../../rest/request-options.js'
import { segment } from '../../rest/request-url.js'

export interface ListAgentsQuery {
  /** How many items to skip. Default: `0`. */
  Offset?: number | undefined
  /** How many items to answer at most. Default: `50`. */
  Limit?: number | undefined
  /** Only agents whose name or description holds this text. */
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
   * Needs the scope `agent:read`.
   *
   * @returns One page of the agents.
   */
  list(query: ListAgentsQuery = {}, options: RequestOptions = {}): ListPromise<Agent> {
    return this.#http.list({ method: 'GET', path: '/api/v1/Agent', query }, options)
  }

  /**
   * Create an agent.
   *
   * Needs the scope `agent:write`.
   *
   * @returns The agent, as it is stored.
   */
  create(body: AgentInput, options: CreateOptions & DryRunOptions = {}): ApiPromise<Agent> {
    return this.#http.json({ method: 'POST', path: '/api/v1/Agent', body, takesIdempotencyKey: true }, options)
  }

  /**
   * Read an agent.
   *
   * Needs the scope `agent:read`.
   *
   * @returns The agent, as it is stored.
   */
  get(agentId: string, options: RequestOptions = {}): ApiPromise<Agent> {
    return this.#http.json({ method: 'GET', path: `/api/v1/Agent/${segment('agentId', agentId)}` }, options)
  }

  /**
   * Replace an agent.
   *
   * Fields left out fall back to their defaults; header values left out stay, unless the address changes.
   *
   * Needs the scope `agent:write`.
   *
   * @returns The agent, as it is stored now.
   */
  replace(agentId: string, body: AgentInput, options: ChangeOptions & DryRunOptions = {}): ApiPromise<Agent> {
    return this.#http.json({ method: 'PUT', path: `/api/v1/Agent/${segment('agentId', agentId)}`, body }, options)
  }

  /**
   * Change an agent.
   *
   * A merge patch: fields left out stay, objects are merged, arrays are replaced whole.
   *
   * Needs the scope `agent:write`.
   *
   * @returns The whole agent, as it is stored now.
   */
  patch(agentId: string, body: AgentPatch, options: ChangeOptions & DryRunOptions = {}): ApiPromise<Agent> {
    return this.#http.json({ method: 'PATCH', path: `/api/v1/Agent/${segment('agentId', agentId)}`, body }, options)
  }

  /**
   * Delete an agent.
   *
   * It disappears from lists and refuses new work; its conversations stay readable.
   *
   * Needs the scope `agent:write`.
   *
   * @returns The agent is deleted; there is no body.
   */
  delete(agentId: string, options: ChangeOptions & DryRunOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'DELETE', path: `/api/v1/Agent/${segment('agentId', agentId)}` }, options)
  }

  /**
   * Create or replace an agent by its external id.
   *
   * Answers 201 where it created the agent, 200 where it replaced it. Safe to call at the same time from
   * several places: one agent per external id. Fields left out fall back to their defaults; header values left
   * out stay, unless the address changes.
   *
   * Needs the scope `agent:write`.
   *
   * @returns The agent, as it is stored.
   */
  upsert(
    externalId: string,
    body: AgentUpsert,
    options: ChangeOptions & DryRunOptions = {},
  ): ApiPromise<Agent> {
    return this.#http.json({ method: 'PUT', path: `/api/v1/Agent/external/${segment('externalId', externalId)}`, body }, options)
  }

  /**
   * List what an agent can call.
   *
   * As its model is offered it: the tools of its MCP servers one by one, with what the servers say of them,
   * and its sub-agents. Servers are asked where their lists are older than a minute; of one that does not
   * answer within five seconds, what it listed last.
   *
   * Needs the scope `agent:read`.
   *
   * @returns The tools that the model is offered.
   */
  listTools(agentId: string, options: RequestOptions = {}): ApiPromise<OfferedToolList> {
    return this.#http.json({ method: 'GET', path: `/api/v1/Agent/${segment('agentId', agentId)}/tool` }, options)
  }

  /**
   * Try a tool.
   *
   * Checks the arguments and shows what would be sent; with `dryRun` false it really runs the tool, without
   * approval, which is recorded in the audit log. A tool that needs approval then needs the scope
   * `approval:decide` too.
   *
   * Needs the scope `agent:write`.
   *
   * @returns What would be sent, or what came of the call.
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
