// Generated from the contract by `npm run generate`. Do not edit.

import type { AgentTest, AgentTestInput } from '../schemas/agent-test.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { ListPromise } from '../../rest/list-promise.js'
import type { ChangeOptions, RequestOptions } from '../../rest/request-options.js'
import { segment } from '../../rest/request-url.js'

export interface ListAgentTestsQuery {
  /** The number of items to skip. Default: `0`. */
  Offset?: number | undefined
  /** The maximum number of items to return. Default: `50`. */
  Limit?: number | undefined
}

export class AgentTests {
  readonly #http: HttpClient

  constructor(http: HttpClient) {
    this.#http = http
  }

  /**
   * List the tests of an agent.
   *
   * Requires the scope `agent:read`.
   *
   * @returns One page of the tests.
   */
  list(
    agentId: string,
    query: ListAgentTestsQuery = {},
    options: RequestOptions = {},
  ): ListPromise<AgentTest> {
    return this.#http.list({ method: 'GET', path: `/api/v1/Agent/${segment('agentId', agentId)}/test`, query }, options)
  }

  /**
   * Create tests of an agent.
   *
   * An agent may have at most 100 of these resources. The tests are deleted with the agent.
   *
   * Requires the scope `agent:write`.
   *
   * @returns The stored tests.
   */
  create(agentId: string, body: AgentTestInput, options: RequestOptions = {}): ApiPromise<AgentTest> {
    return this.#http.json({ method: 'POST', path: `/api/v1/Agent/${segment('agentId', agentId)}/test`, body }, options)
  }

  /**
   * Retrieve tests of an agent.
   *
   * Requires the scope `agent:read`.
   *
   * @returns The stored tests.
   */
  get(agentId: string, agentTestId: string, options: RequestOptions = {}): ApiPromise<AgentTest> {
    return this.#http.json({ method: 'GET', path: `/api/v1/Agent/${segment('agentId', agentId)}/test/${segment('agentTestId', agentTestId)}` }, options)
  }

  /**
   * Replace tests of an agent.
   *
   * Requires the scope `agent:write`.
   *
   * @returns The updated tests.
   */
  replace(
    agentId: string,
    agentTestId: string,
    body: AgentTestInput,
    options: ChangeOptions = {},
  ): ApiPromise<AgentTest> {
    return this.#http.json({ method: 'PUT', path: `/api/v1/Agent/${segment('agentId', agentId)}/test/${segment('agentTestId', agentTestId)}`, body }, options)
  }

  /**
   * Delete tests of an agent.
   *
   * The results of earlier runs are kept.
   *
   * Requires the scope `agent:write`.
   *
   * @returns The tests are deleted. The response has no body.
   */
  delete(agentId: string, agentTestId: string, options: ChangeOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'DELETE', path: `/api/v1/Agent/${segment('agentId', agentId)}/test/${segment('agentTestId', agentTestId)}` }, options)
  }
}
