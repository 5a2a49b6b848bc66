// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { McpAuthorization, McpAuthorizationInput, McpConsent, McpConsentAnswer, McpConsentOutcome, McpConsentStart } from '../schemas/mcp-authorization.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { ListPromise } from '../../rest/list-promise.js'
import type { RequestOptions } from '../../rest/request-options.js'
import { segment } from '../../rest/request-url.js'

export interface ListMcpAuthorizationsQuery {
  /** The number of items to skip. Default: `0`. */
  Offset?: number | undefined
  /** The maximum number of items. Default: `50`. */
  Limit?: number | undefined
}

export class McpAuthorizations {
  readonly #http: HttpClient

  constructor(http: HttpClient) {
    this.#http = http
  }

  /**
   * List MCP authorizations.
   *
   * Requires the scope `connection:read`.
   *
   * @returns One page of the authorizations, without their tokens.
   */
  list(query: ListMcpAuthorizationsQuery = {}, options: RequestOptions = {}): ListPromise<McpAuthorization> {
    return this.#http.list({ method: 'GET', path: '/api/v1/McpAuthorization', query }, options)
  }

  /**
   * Create an MCP authorization.
   *
   * Does not ask for consent yet. After consent, every agent of the organization whose MCP tool has exactly
   * this address, and no `Authorization` header of its own, uses the token. If an address has several
   * authorizations, the newest working one is used.
   *
   * Requires the scope `connection:write`.
   *
   * @returns The authorization, without consent.
   */
  create(body: McpAuthorizationInput, options: RequestOptions = {}): ApiPromise<McpAuthorization> {
    return this.#http.json({ method: 'POST', path: '/api/v1/McpAuthorization', body }, options)
  }

  /**
   * Read an authorization.
   *
   * Requires the scope `connection:read`.
   *
   * @returns The authorization, without its tokens.
   */
  get(mcpAuthorizationId: string, options: RequestOptions = {}): ApiPromise<McpAuthorization> {
    return this.#http.json({ method: 'GET', path: `/api/v1/McpAuthorization/${segment('mcpAuthorizationId', mcpAuthorizationId)}` }, options)
  }

  /**
   * Delete an MCP authorization.
   *
   * Deletes its tokens, and revokes them if the issuer supports it.
   *
   * Requires the scope `connection:write`.
   *
   * @returns The authorization is deleted. The answer has no body.
   */
  delete(mcpAuthorizationId: string, options: RequestOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'DELETE', path: `/api/v1/McpAuthorization/${segment('mcpAuthorizationId', mcpAuthorizationId)}` }, options)
  }

  /**
   * Request consent.
   *
   * Discovers the issuer (protected resource and authorization server metadata), registers the service if
   * there is no `clientId`, and returns the address for the browser (authorization code with PKCE). Existing
   * tokens keep working until there are new ones.
   *
   * Requires the scope `connection:write`.
   *
   * @returns The address for the browser, or what failed.
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
   * Sends the parameters of the redirect. Works once, for the caller who requested consent. The id is the part
   * of `state` before the dot.
   *
   * Requires the scope `connection:write`.
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
