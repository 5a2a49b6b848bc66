// Generated from the contract by `npm run generate`. Do not edit.

import type { McpAccessRequest, McpDecision, McpGrant, McpRedirect, MePatch, OidcRedirect, OidcStart, PasswordChange, PasswordProof, PersonSession, PresentedMcpRequest, RecoveryCodes, SignIn, SignInWays, SignedIn, TotpConfirmation, TotpSetup } from '../schemas/me.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { ListPromise } from '../../rest/list-promise.js'
import type { RequestOptions } from '../../rest/request-options.js'
import { segment } from '../../rest/request-url.js'

export interface ListMeSessionsQuery {
  /** The number of items to skip. Default: `0`. */
  Offset?: number | undefined
  /** The maximum number of items to return. Default: `50`. */
  Limit?: number | undefined
}

export interface ListMeMcpGrantsQuery {
  /** The number of items to skip. Default: `0`. */
  Offset?: number | undefined
  /** The maximum number of items to return. Default: `50`. */
  Limit?: number | undefined
}

export class Me {
  readonly #http: HttpClient

  constructor(http: HttpClient) {
    this.#http = http
  }

  /**
   * Sign in.
   *
   * Sets an HttpOnly cookie. After ten consecutive failed attempts, sign-in is blocked for 15 minutes. The
   * response reveals neither the block nor whether an account with this email address exists.
   *
   * No authentication is required.
   *
   * @returns The signed-in user. The session cookie is set.
   */
  signIn(body: SignIn, options: RequestOptions = {}): ApiPromise<SignedIn> {
    return this.#http.json({ method: 'POST', path: '/api/v1/SignIn', body }, options)
  }

  /**
   * Retrieve the sign-in methods.
   *
   * No authentication is required.
   *
   * @returns The available sign-in methods.
   */
  getWays(options: RequestOptions = {}): ApiPromise<SignInWays> {
    return this.#http.json({ method: 'GET', path: '/api/v1/SignIn' }, options)
  }

  /**
   * Sign in with the identity provider.
   *
   * Starts a sign-in with OpenID Connect. Sets an HttpOnly cookie that expires after ten minutes, and returns
   * the URL to open in the browser. The identity provider redirects to `/api/v1/SignIn/oidc/callback`. This
   * sets the session cookie and redirects to `returnTo`, or to `/#/sign-in?error=<error code>` if the sign-in
   * failed.
   *
   * No authentication is required.
   *
   * @returns The URL to open in the browser. The cookie is set.
   */
  beginOidc(body: OidcStart = {}, options: RequestOptions = {}): ApiPromise<OidcRedirect> {
    return this.#http.json({ method: 'POST', path: '/api/v1/SignIn/oidc', body }, options)
  }

  /**
   * Sign out.
   *
   * Ends the session of the request.
   *
   * Requires a signed-in user. API keys cannot use this operation.
   *
   * @returns The session has ended, and the cookie is removed. The response has no body.
   */
  signOut(options: RequestOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'POST', path: '/api/v1/SignOut' }, options)
  }

  /**
   * Retrieve the signed-in user.
   *
   * Requires a signed-in user. API keys cannot use this operation.
   *
   * @returns The user, their organizations and the current session.
   */
  get(options: RequestOptions = {}): ApiPromise<SignedIn> {
    return this.#http.json({ method: 'GET', path: '/api/v1/Me' }, options)
  }

  /**
   * Change your name.
   *
   * Requires a signed-in user. API keys cannot use this operation.
   *
   * @returns The updated user, their organizations and the current session.
   */
  patch(body: MePatch, options: RequestOptions = {}): ApiPromise<SignedIn> {
    return this.#http.json({ method: 'PATCH', path: '/api/v1/Me', body }, options)
  }

  /**
   * Change your password.
   *
   * Ends all of your other sessions.
   *
   * Requires a signed-in user. API keys cannot use this operation.
   *
   * @returns The password was changed. The response has no body.
   */
  changePassword(body: PasswordChange, options: RequestOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'POST', path: '/api/v1/Me/password', body }, options)
  }

  /**
   * List your sessions.
   *
   * Requires a signed-in user. API keys cannot use this operation.
   *
   * @returns One page of your sessions.
   */
  listSessions(query: ListMeSessionsQuery = {}, options: RequestOptions = {}): ListPromise<PersonSession> {
    return this.#http.list({ method: 'GET', path: '/api/v1/Me/session', query }, options)
  }

  /**
   * End one of your sessions.
   *
   * Requires a signed-in user. API keys cannot use this operation.
   *
   * @returns The session has ended. The response has no body.
   */
  deleteSession(personSessionId: string, options: RequestOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'DELETE', path: `/api/v1/Me/session/${segment('personSessionId', personSessionId)}` }, options)
  }

  /**
   * Set up a second factor.
   *
   * The second factor is not required for sign-in until it is confirmed. Repeating this request replaces the
   * previous secret.
   *
   * Requires a signed-in user. API keys cannot use this operation.
   *
   * @returns The secret for the authenticator app.
   */
  beginTotp(body: PasswordProof, options: RequestOptions = {}): ApiPromise<TotpSetup> {
    return this.#http.json({ method: 'POST', path: '/api/v1/Me/totp', body }, options)
  }

  /**
   * Turn on the second factor.
   *
   * Ends all of your other sessions.
   *
   * Requires a signed-in user. API keys cannot use this operation.
   *
   * @returns The recovery codes, which are returned only once.
   */
  confirmTotp(body: TotpConfirmation, options: RequestOptions = {}): ApiPromise<RecoveryCodes> {
    return this.#http.json({ method: 'PUT', path: '/api/v1/Me/totp', body }, options)
  }

  /**
   * Turn off the second factor.
   *
   * Requires a signed-in user. API keys cannot use this operation.
   *
   * @returns The second factor was turned off. The response has no body.
   */
  deleteTotp(body: PasswordProof, options: RequestOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'DELETE', path: '/api/v1/Me/totp', body }, options)
  }

  /**
   * Preview an MCP authorization request.
   *
   * Validates the authorization request, and returns the details that the consent page displays.
   *
   * Requires a signed-in user. API keys cannot use this operation.
   *
   * @returns The client and the requested scopes.
   */
  presentMcpRequest(body: McpAccessRequest, options: RequestOptions = {}): ApiPromise<PresentedMcpRequest> {
    return this.#http.json({ method: 'POST', path: '/api/v1/Me/mcp-request', body }, options)
  }

  /**
   * Allow or deny an MCP client.
   *
   * Requires a signed-in user. API keys cannot use this operation.
   *
   * @returns The URL to open in the browser. It contains an authorization code that can be used once within
   * one minute, or an error if access was denied.
   */
  decideMcpRequest(body: McpDecision, options: RequestOptions = {}): ApiPromise<McpRedirect> {
    return this.#http.json({ method: 'POST', path: '/api/v1/Me/mcp-grant', body }, options)
  }

  /**
   * List your MCP grants.
   *
   * Requires a signed-in user. API keys cannot use this operation.
   *
   * @returns One page of your grants in all of your organizations.
   */
  listMcpGrants(query: ListMeMcpGrantsQuery = {}, options: RequestOptions = {}): ListPromise<McpGrant> {
    return this.#http.list({ method: 'GET', path: '/api/v1/Me/mcp-grant', query }, options)
  }

  /**
   * Revoke one of your MCP grants.
   *
   * Requires a signed-in user. API keys cannot use this operation.
   *
   * @returns The grant was revoked. The response has no body.
   */
  deleteMcpGrant(mcpGrantId: string, options: RequestOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'DELETE', path: `/api/v1/Me/mcp-grant/${segment('mcpGrantId', mcpGrantId)}` }, options)
  }
}
