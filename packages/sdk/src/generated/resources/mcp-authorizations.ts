// Generated from the contract by `npm run generate`. Do not edit.

import type { McpAuthorization, McpAuthorizationInput, McpConsent, McpConsentAnswer, McpConsentOutcome, McpConsentStart } from '../schemas/mcp-authorization.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { ListPromise } from '../../rest/list-promise.js'
import type { RequestOptions } from '../../rest/request-options.js'
import { segment } from '../../rest/request-url.js'

export interface ListMcpAuthorizationsQuery {
  /** The number of items to skip. Default: `0`. */
  Offset?: number | undefined
  /** The maximum number of items to return. Default: `50`. */
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
   * Creates an authorization without requesting consent. After consent, the token is used for all MCP tools in
   * the organization that have exactly this server URL and no `Authorization` header. If a URL has several
   * authorizations, the newest working authorization is used.
   *
   * Requires the scope `connection:write`.
   *
   * @returns The created authorization.
   */
  create(body: McpAuthorizationInput, options: RequestOptions = {}): ApiPromise<McpAuthorization> {
    return this.#http.json({ method: 'POST', path: '/api/v1/McpAuthorization', body }, options)
  }

  /**
   * Retrieve an MCP authorization.
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
   * Also deletes its tokens, and revokes them if the authorization server supports it.
   *
   * Requires the scope `connection:write`.
   *
   * @returns The authorization was deleted. The response has no body.
   */
  delete(mcpAuthorizationId: string, options: RequestOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'DELETE', path: `/api/v1/McpAuthorization/${segment('mcpAuthorizationId', mcpAuthorizationId)}` }, options)
  }

  /**
   * Request consent for an MCP authorization.
   *
   * Discovers the authorization server from the metadata of the MCP server, registers the service as a client
   * if `clientId` is `null`, and returns the authorization URL. Uses the authorization code flow with PKCE.
   * Existing tokens remain valid until new tokens are issued.
   *
   * Requires the scope `connection:write`.
   *
   * @returns The authorization URL, or a description of the failure.
   */
  beginConsent(
    mcpAuthorizationId: string,
    body: McpConsentStart = {},
    options: RequestOptions = {},
  ): ApiPromise<McpConsent> {
    return this.#http.json({ method: 'POST', path: `/api/v1/McpAuthorization/${segment('mcpAuthorizationId', mcpAuthorizationId)}/consent`, body }, options)
  }

  /**
   * Complete the consent for an MCP authorization.
   *
   * Exchanges the authorization code of the redirect for tokens. Only the caller who requested consent can
   * complete it, and only once. The ID of the authorization is the part of `state` before the dot.
   *
   * Requires the scope `connection:write`.
   *
   * @returns The result of the consent request.
   */
  completeConsent(
    mcpAuthorizationId: string,
    body: McpConsentAnswer,
    options: RequestOptions = {},
  ): ApiPromise<McpConsentOutcome> {
    return this.#http.json({ method: 'PUT', path: `/api/v1/McpAuthorization/${segment('mcpAuthorizationId', mcpAuthorizationId)}/consent`, body }, options)
  }
}
