// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { McpAuthorization, McpAuthorizationInput, McpConsent, McpConsentAnswer, McpConsentOutcome, McpConsentStart } from '../schemas/mcp-authorization.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { ListPromise } from '../../rest/list-promise.js'
import type { RequestOptions } from '../../rest/request-options.js'
import { segment } from '../../rest/request-url.js'

export interface ListMcpAuthorizationsQuery {
  /** How many items to skip. Default: `0`. */
  Offset?: number | undefined
  /** How many items to answer at most. Default: `50`. */
  Limit?: number | undefined
}

export class McpAuthorizations {
  readonly #http: HttpClient

  constructor(http: HttpClient) {
    this.#http = http
  }

  /**
   * List authorizations of MCP servers.
   *
   * Needs the scope `connection:read`.
   *
   * @returns One page of the authorizations, without their tokens.
   */
  list(query: ListMcpAuthorizationsQuery = {}, options: RequestOptions = {}): ListPromise<McpAuthorization> {
    return this.#http.list({ method: 'GET', path: '/api/v1/McpAuthorization', query }, options)
  }

  /**
   * Name an MCP server that asks for OAuth.
   *
   * Nobody is asked yet. Once somebody has consented, every agent of the organization whose MCP tool names
   * exactly this address, and no `Authorization` header of its own, calls with the token. Of several for one
   * address the newest counts that works.
   *
   * Needs the scope `connection:write`.
   *
   * @returns The authorization, to which nobody has consented yet.
   */
  create(body: McpAuthorizationInput, options: RequestOptions = {}): ApiPromise<McpAuthorization> {
    return this.#http.json({ method: 'POST', path: '/api/v1/McpAuthorization', body }, options)
  }

  /**
   * Read an authorization.
   *
   * Needs the scope `connection:read`.
   *
   * @returns The authorization, without its tokens.
   */
  get(mcpAuthorizationId: string, options: RequestOptions = {}): ApiPromise<McpAuthorization> {
    return this.#http.json({ method: 'GET', path: `/api/v1/McpAuthorization/${segment('mcpAuthorizationId', mcpAuthorizationId)}` }, options)
  }

  /**
   * Give up an authorization.
   *
   * Its tokens are forgotten, and taken back at the issuer where it offers that.
   *
   * Needs the scope `connection:write`.
   *
   * @returns The authorization is gone; there is no body.
   */
  delete(mcpAuthorizationId: string, options: RequestOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'DELETE', path: `/api/v1/McpAuthorization/${segment('mcpAuthorizationId', mcpAuthorizationId)}` }, options)
  }

  /**
   * Ask somebody to consent.
   *
   * Finds the issuer (protected resource and authorization server metadata), registers the service there where
   * no `clientId` was given, and answers where to send the browser (code with PKCE). Tokens of before go on
   * working until there are new ones.
   *
   * Needs the scope `connection:write`.
   *
   * @returns Where to send the browser, or what stood in the way.
   */
  beginConsent(
    mcpAuthorizationId: string,
    body: McpConsentStart = {},
    options: RequestOptions = {},
  ): ApiPromise<McpConsent> {
    return this.#http.json({ method: 'POST', path: `/api/v1/McpAuthorization/${segment('mcpAuthorizationId', mcpAuthorizationId)}/consent`, body }, options)
  }

  /**
   * Complete a consent.
   *
   * With what the browser came back with, once, by the caller who began it. The id stands before the dot in
   * `state`.
   *
   * Needs the scope `connection:write`.
   *
   * @returns Whether agents can use the server now.
   */
  completeConsent(
    mcpAuthorizationId: string,
    body: McpConsentAnswer,
    options: RequestOptions = {},
  ): ApiPromise<McpConsentOutcome> {
    return this.#http.json({ method: 'PUT', path: `/api/v1/McpAuthorization/${segment('mcpAuthorizationId', mcpAuthorizationId)}/consent`, body }, options)
  }
}
