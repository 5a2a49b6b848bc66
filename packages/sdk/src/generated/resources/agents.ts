// Generated from the contract by `npm run generate`. Do not edit.

import type { Agent, AgentInput, AgentPatch, AgentUpsert } from '../schemas/agent.js'
import type { OfferedToolList, ToolTrial, ToolTrialInput } from '../schemas/tool-trial.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { ListPromise } from '../../rest/list-promise.js'
import type { ChangeOptions, CreateOptions, DryRunOptions, RequestOptions } from '../../rest/request-options.js'
import { segment } from '../../rest/request-url.js'

export interface ListAgentsQuery {
  /** The number of items to skip. Default: `0`. */
  Offset?: number | undefined
  /** The maximum number of items to return. Default: `50`. */
  Limit?: number | undefined
  /** Only return agents whose name or description contains this text. */
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
   * @returns The created agent.
   */
  create(body: AgentInput, options: CreateOptions & DryRunOptions = {}): ApiPromise<Agent> {
    return this.#http.json({ method: 'POST', path: '/api/v1/Agent', body, takesIdempotencyKey: true }, options)
  }

  /**
   * Retrieve an agent.
   *
   * Requires the scope `agent:read`.
   *
   * @returns The requested agent.
   */
  get(agentId: string, options: RequestOptions = {}): ApiPromise<Agent> {
    return this.#http.json({ method: 'GET', path: `/api/v1/Agent/${segment('agentId', agentId)}` }, options)
  }

  /**
   * Replace an agent.
   *
   * Omitted fields are set to their defaults. Omitted headers of tools keep their values, unless the URL of
   * the tool changes.
   *
   * Requires the scope `agent:write`.
   *
   * @returns The updated agent.
   */
  replace(agentId: string, body: AgentInput, options: ChangeOptions & DryRunOptions = {}): ApiPromise<Agent> {
    return this.#http.json({ method: 'PUT', path: `/api/v1/Agent/${segment('agentId', agentId)}`, body }, options)
  }

  /**
   * Update an agent.
   *
   * Applies a JSON merge patch. Omitted fields keep their values, objects are merged, and arrays are replaced
   * as a whole.
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
   * A deleted agent is removed from lists and rejects new questions, sessions and task runs. Its conversations
   * remain available.
   *
   * Requires the scope `agent:write`.
   *
   * @returns The agent was deleted. The response has no body.
   */
  delete(agentId: string, options: ChangeOptions & DryRunOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'DELETE', path: `/api/v1/Agent/${segment('agentId', agentId)}` }, options)
  }

  /**
   * Create or replace an agent by its external ID.
   *
   * Returns 201 if the agent was created, and 200 if it was replaced. Concurrent requests are safe: there is
   * at most one agent per external ID. Omitted fields are set to their defaults. Omitted headers of tools keep
   * their values, unless the URL of the tool changes.
   *
   * Requires the scope `agent:write`.
   *
   * @returns The created or updated agent.
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
   * Returns the tools as the model sees them, including the tools of MCP servers and the sub-agents. The
   * service refreshes the tool list of an MCP server if it is older than one minute. If the server does not
   * respond within five seconds, its last known list is used.
   *
   * Requires the scope `agent:read`.
   *
   * @returns The tools of the agent.
   */
  listTools(agentId: string, options: RequestOptions = {}): ApiPromise<OfferedToolList> {
    return this.#http.json({ method: 'GET', path: `/api/v1/Agent/${segment('agentId', agentId)}/tool` }, options)
  }

  /**
   * Test a tool of an agent.
   *
   * Validates the arguments and returns the request that would be sent. If `dryRun` is `false`, the tool runs
   * without waiting for approval, and the call is recorded in the audit log. Running a tool that requires
   * approval needs the scope `approval:decide`.
   *
   * Requires the scope `agent:write`.
   *
   * @returns The result of the test.
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
