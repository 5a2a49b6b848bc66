// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { McpAccessRequest, McpDecision, McpGrant, McpRedirect, MePatch, OidcRedirect, OidcStart, PasswordChange, PasswordProof, PersonSession, PresentedMcpRequest, RecoveryCodes, SignIn, SignInWays, SignedIn, TotpConfirmation, TotpSetup } from '../schemas/me.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { ListPromise } from '../../rest/list-promise.js'
import type { RequestOptions } from '../../rest/request-options.js'
import { segment } from '../../rest/request-url.js'

export interface ListMeSessionsQuery {
  /** The number of items to skip. Default: `0`. */
  Offset?: number | undefined
  /** The maximum number of items. Default: `50`. */
  Limit?: number | undefined
}

export interface ListMeMcpGrantsQuery {
  /** The number of items to skip. Default: `0`. */
  Offset?: number | undefined
  /** The maximum number of items. Default: `50`. */
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
   * Sets an HttpOnly cookie. Ten wrong attempts in a row block sign-in for 15 minutes. The answer reveals
   * neither the block nor whether the address is known.
   *
   * Requires neither a key nor a session.
   *
   * @returns The signed-in person. The cookie is set.
   */
  signIn(body: SignIn, options: RequestOptions = {}): ApiPromise<SignedIn> {
    return this.#http.json({ method: 'POST', path: '/api/v1/SignIn', body }, options)
  }

  /**
   * List the ways to sign in.
   *
   * Requires neither a key nor a session.
   *
   * @returns The ways to sign in. No sign-in is required.
   */
  getWays(options: RequestOptions = {}): ApiPromise<SignInWays> {
    return this.#http.json({ method: 'GET', path: '/api/v1/SignIn' }, options)
  }

  /**
   * Sign in through the OIDC issuer.
   *
   * Sets an HttpOnly cookie for ten minutes and returns the address for the browser. The issuer redirects to
   * `/api/v1/SignIn/oidc/callback`, which sets the session cookie and redirects to `returnTo`, or to
   * `/#/sign-in?error=<error code>`.
   *
   * Requires neither a key nor a session.
   *
   * @returns The address for the browser. The cookie is set.
   */
  beginOidc(body: OidcStart = {}, options: RequestOptions = {}): ApiPromise<OidcRedirect> {
    return this.#http.json({ method: 'POST', path: '/api/v1/SignIn/oidc', body }, options)
  }

  /**
   * Sign out.
   *
   * Ends the current session.
   *
   * Requires a signed-in user. API keys cannot call it.
   *
   * @returns The session has ended and the cookie is removed. The answer has no body.
   */
  signOut(options: RequestOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'POST', path: '/api/v1/SignOut' }, options)
  }

  /**
   * Read the signed-in person.
   *
   * Requires a signed-in user. API keys cannot call it.
   *
   * @returns The person, their organizations and this session.
   */
  get(options: RequestOptions = {}): ApiPromise<SignedIn> {
    return this.#http.json({ method: 'GET', path: '/api/v1/Me' }, options)
  }

  /**
   * Change your name.
   *
   * Requires a signed-in user. API keys cannot call it.
   *
   * @returns The updated person, their organizations and this session.
   */
  patch(body: MePatch, options: RequestOptions = {}): ApiPromise<SignedIn> {
    return this.#http.json({ method: 'PATCH', path: '/api/v1/Me', body }, options)
  }

  /**
   * Change your password.
   *
   * Ends all your other sessions.
   *
   * Requires a signed-in user. API keys cannot call it.
   *
   * @returns The password is changed. The answer has no body.
   */
  changePassword(body: PasswordChange, options: RequestOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'POST', path: '/api/v1/Me/password', body }, options)
  }

  /**
   * List your sessions.
   *
   * Requires a signed-in user. API keys cannot call it.
   *
   * @returns One page of your sessions.
   */
  listSessions(query: ListMeSessionsQuery = {}, options: RequestOptions = {}): ListPromise<PersonSession> {
    return this.#http.list({ method: 'GET', path: '/api/v1/Me/session', query }, options)
  }

  /**
   * End one of your sessions.
   *
   * Requires a signed-in user. API keys cannot call it.
   *
   * @returns The session has ended. The answer has no body.
   */
  deleteSession(personSessionId: string, options: RequestOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'DELETE', path: `/api/v1/Me/session/${segment('personSessionId', personSessionId)}` }, options)
  }

  /**
   * Set up a second factor.
   *
   * Sign-in does not change until the second factor is confirmed. A second call replaces the first.
   *
   * Requires a signed-in user. API keys cannot call it.
   *
   * @returns The secret for the authenticator app.
   */
  beginTotp(body: PasswordProof, options: RequestOptions = {}): ApiPromise<TotpSetup> {
    return this.#http.json({ method: 'POST', path: '/api/v1/Me/totp', body }, options)
  }

  /**
   * Turn on the second factor.
   *
   * Ends all your other sessions.
   *
   * Requires a signed-in user. API keys cannot call it.
   *
   * @returns The recovery codes, which are shown only once.
   */
  confirmTotp(body: TotpConfirmation, options: RequestOptions = {}): ApiPromise<RecoveryCodes> {
    return this.#http.json({ method: 'PUT', path: '/api/v1/Me/totp', body }, options)
  }

  /**
   * Turn off the second factor.
   *
   * Requires a signed-in user. API keys cannot call it.
   *
   * @returns Sign-in needs only the password. The answer has no body.
   */
  deleteTotp(body: PasswordProof, options: RequestOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'DELETE', path: '/api/v1/Me/totp', body }, options)
  }

  /**
   * Read an authorization request.
   *
   * For the consent page: the client and the requested scopes, checked as far as possible.
   *
   * Requires a signed-in user. API keys cannot call it.
   *
   * @returns The client and the requested scopes.
   */
  presentMcpRequest(body: McpAccessRequest, options: RequestOptions = {}): ApiPromise<PresentedMcpRequest> {
    return this.#http.json({ method: 'POST', path: '/api/v1/Me/mcp-request', body }, options)
  }

  /**
   * Allow or deny an MCP client.
   *
   * Requires a signed-in user. API keys cannot call it.
   *
   * @returns The address for the browser, with a code that works once within a minute, or with the refusal.
   */
  decideMcpRequest(body: McpDecision, options: RequestOptions = {}): ApiPromise<McpRedirect> {
    return this.#http.json({ method: 'POST', path: '/api/v1/Me/mcp-grant', body }, options)
  }

  /**
   * List your MCP clients.
   *
   * Requires a signed-in user. API keys cannot call it.
   *
   * @returns One page of your grants, of all your organizations.
   */
  listMcpGrants(query: ListMeMcpGrantsQuery = {}, options: RequestOptions = {}): ListPromise<McpGrant> {
    return this.#http.list({ method: 'GET', path: '/api/v1/Me/mcp-grant', query }, options)
  }

  /**
   * Revoke one of your grants.
   *
   * Requires a signed-in user. API keys cannot call it.
   *
   * @returns The grant is revoked. The answer has no body.
   */
  deleteMcpGrant(mcpGrantId: string, options: RequestOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'DELETE', path: `/api/v1/Me/mcp-grant/${segment('mcpGrantId', mcpGrantId)}` }, options)
  }
}
