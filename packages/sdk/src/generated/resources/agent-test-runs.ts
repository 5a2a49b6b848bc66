// Generated from the contract by `npm run generate`. Do not edit.

import type { AgentTestRun, AgentTestRunInput, AgentTestRunSummary } from '../schemas/agent-test-run.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { ListPromise } from '../../rest/list-promise.js'
import type { RequestOptions } from '../../rest/request-options.js'
import { segment } from '../../rest/request-url.js'

export interface ListAgentTestRunsQuery {
  /** The number of items to skip. Default: `0`. */
  Offset?: number | undefined
  /** The maximum number of items to return. Default: `50`. */
  Limit?: number | undefined
}

export class AgentTestRuns {
  readonly #http: HttpClient

  constructor(http: HttpClient) {
    this.#http = http
  }

  /**
   * Run tests of an agent.
   *
   * The run continues in the background. Every conversation is a rehearsal: tools are answered by the stubs of
   * the tests, and none is called. Text tests run here; voice tests are `not_run`, because `parley test`
   * speaks them. The caller also needs the scope `question:ask`. 409 if a run of this agent is active or there
   * is no test.
   *
   * Requires the scope `agent:write`.
   *
   * @returns The run, which has begun.
   */
  start(
    agentId: string,
    body: AgentTestRunInput = {},
    options: RequestOptions = {},
  ): ApiPromise<AgentTestRun> {
    return this.#http.json({ method: 'POST', path: `/api/v1/Agent/${segment('agentId', agentId)}/test-run`, body, isLong: true }, options)
  }

  /**
   * List the test runs of an agent.
   *
   * The newest 20 runs are kept.
   *
   * Requires the scope `agent:read`.
   *
   * @returns One page of the runs, without the conversations.
   */
  list(
    agentId: string,
    query: ListAgentTestRunsQuery = {},
    options: RequestOptions = {},
  ): ListPromise<AgentTestRunSummary> {
    return this.#http.list({ method: 'GET', path: `/api/v1/Agent/${segment('agentId', agentId)}/test-run`, query }, options)
  }

  /**
   * Retrieve a test run.
   *
   * Requires the scope `agent:read`.
   *
   * @returns The run, with the results so far.
   */
  get(agentId: string, agentTestRunId: string, options: RequestOptions = {}): ApiPromise<AgentTestRun> {
    return this.#http.json({ method: 'GET', path: `/api/v1/Agent/${segment('agentId', agentId)}/test-run/${segment('agentTestRunId', agentTestRunId)}` }, options)
  }

  /**
   * Stop a test run.
   *
   * The results so far are kept. A run that has ended stays unchanged.
   *
   * Requires the scope `agent:write`.
   *
   * @returns The run as it is now.
   */
  stop(agentId: string, agentTestRunId: string, options: RequestOptions = {}): ApiPromise<AgentTestRun> {
    return this.#http.json({ method: 'POST', path: `/api/v1/Agent/${segment('agentId', agentId)}/test-run/${segment('agentTestRunId', agentTestRunId)}/stop` }, options)
  }
}
