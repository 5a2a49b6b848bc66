// Generated from the contract by `npm run generate`. Do not edit.

import type { McpGrant } from '../schemas/me.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { ListPromise } from '../../rest/list-promise.js'
import type { RequestOptions } from '../../rest/request-options.js'
import { segment } from '../../rest/request-url.js'

export interface ListMcpGrantsQuery {
  /** The number of items to skip. Default: `0`. */
  Offset?: number | undefined
  /** The maximum number of items to return. Default: `50`. */
  Limit?: number | undefined
}

export class McpGrants {
  readonly #http: HttpClient

  constructor(http: HttpClient) {
    this.#http = http
  }

  /**
   * List the MCP grants of members.
   *
   * Requires the scope `org:manage`.
   *
   * @returns One page of the grants, without their tokens.
   */
  list(query: ListMcpGrantsQuery = {}, options: RequestOptions = {}): ListPromise<McpGrant> {
    return this.#http.list({ method: 'GET', path: '/api/v1/McpGrant', query }, options)
  }

  /**
   * Revoke an MCP grant.
   *
   * The tokens of the MCP client stop working immediately.
   *
   * Requires the scope `org:manage`.
   *
   * @returns The grant was revoked. The response has no body.
   */
  delete(mcpGrantId: string, options: RequestOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'DELETE', path: `/api/v1/McpGrant/${segment('mcpGrantId', mcpGrantId)}` }, options)
  }
}
