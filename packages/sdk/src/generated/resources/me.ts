// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { McpAccessRequest, McpDecision, McpGrant, McpRedirect, MePatch, OidcRedirect, OidcStart, PasswordChange, PasswordProof, PersonSession, PresentedMcpRequest, RecoveryCodes, SignIn, SignInWays, SignedIn, TotpConfirmation, TotpSetup } from '../schemas/me.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { ListPromise } from '../../rest/list-promise.js'
import type { RequestOptions } from '../../rest/request-options.js'
import { segment } from '../../rest/request-url.js'

export interface ListMeSessionsQuery {
  /** How many items to skip. Default: `0`. */
  Offset?: number | undefined
  /** How many items to answer at most. Default: `50`. */
  Limit?: number | undefined
}

export interface ListMeMcpGrantsQuery {
  /** How many items to skip. Default: `0`. */
  Offset?: number | undefined
  /** How many items to answer at most. Default: `50`. */
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
   * Sets an HttpOnly cookie. Ten wrong tries in a row keep a person out for 15 minutes; the answer does not
   * say so, nor whether anybody has that address.
   *
   * Needs neither a key nor a session.
   *
   * @returns Who is signed in now; the cookie is set.
   */
  signIn(body: SignIn, options: RequestOptions = {}): ApiPromise<SignedIn> {
    return this.#http.json({ method: 'POST', path: '/api/v1/SignIn', body }, options)
  }

  /**
   * Which ways of signing in there are.
   *
   * Needs neither a key nor a session.
   *
   * @returns The ways of signing in; nobody need be signed in to ask.
   */
  getWays(options: RequestOptions = {}): ApiPromise<SignInWays> {
    return this.#http.json({ method: 'GET', path: '/api/v1/SignIn' }, options)
  }

  /**
   * Sign in through the OIDC issuer.
   *
   * Sets an HttpOnly cookie for ten minutes and answers where to send the browser. The issuer sends it back to
   * `/api/v1/SignIn/oidc/callback`, which sets the cookie of a session and goes on to `returnTo`, or to
   * `/#/sign-in?error=<error code>`.
   *
   * Needs neither a key nor a session.
   *
   * @returns Where to send the browser; the cookie is set.
   */
  beginOidc(body: OidcStart = {}, options: RequestOptions = {}): ApiPromise<OidcRedirect> {
    return this.#http.json({ method: 'POST', path: '/api/v1/SignIn/oidc', body }, options)
  }

  /**
   * Sign out.
   *
   * Ends the session that the call came with.
   *
   * Needs a person who has signed in; a key cannot call it.
   *
   * @returns The session is over and the cookie is gone; there is no body.
   */
  signOut(options: RequestOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'POST', path: '/api/v1/SignOut' }, options)
  }

  /**
   * Who is signed in.
   *
   * Needs a person who has signed in; a key cannot call it.
   *
   * @returns The person, their organizations and this session.
   */
  get(options: RequestOptions = {}): ApiPromise<SignedIn> {
    return this.#http.json({ method: 'GET', path: '/api/v1/Me' }, options)
  }

  /**
   * Change your name.
   *
   * Needs a person who has signed in; a key cannot call it.
   *
   * @returns The person as it is stored now, their organizations and this session.
   */
  patch(body: MePatch, options: RequestOptions = {}): ApiPromise<SignedIn> {
    return this.#http.json({ method: 'PATCH', path: '/api/v1/Me', body }, options)
  }

  /**
   * Change your password.
   *
   * Ends every other session of yours.
   *
   * Needs a person who has signed in; a key cannot call it.
   *
   * @returns The password is another one; there is no body.
   */
  changePassword(body: PasswordChange, options: RequestOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'POST', path: '/api/v1/Me/password', body }, options)
  }

  /**
   * Where you are signed in.
   *
   * Needs a person who has signed in; a key cannot call it.
   *
   * @returns One page of your sessions.
   */
  listSessions(query: ListMeSessionsQuery = {}, options: RequestOptions = {}): ListPromise<PersonSession> {
    return this.#http.list({ method: 'GET', path: '/api/v1/Me/session', query }, options)
  }

  /**
   * End a session of yours.
   *
   * Needs a person who has signed in; a key cannot call it.
   *
   * @returns The session is over; there is no body.
   */
  deleteSession(personSessionId: string, options: RequestOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'DELETE', path: `/api/v1/Me/session/${segment('personSessionId', personSessionId)}` }, options)
  }

  /**
   * Begin with a second factor.
   *
   * Changes nothing about signing in until it is confirmed; a second beginning replaces the first.
   *
   * Needs a person who has signed in; a key cannot call it.
   *
   * @returns What the authenticator needs to know.
   */
  beginTotp(body: PasswordProof, options: RequestOptions = {}): ApiPromise<TotpSetup> {
    return this.#http.json({ method: 'POST', path: '/api/v1/Me/totp', body }, options)
  }

  /**
   * Switch the second factor on.
   *
   * Ends every other session of yours.
   *
   * Needs a person who has signed in; a key cannot call it.
   *
   * @returns The recovery codes, which are shown this once.
   */
  confirmTotp(body: TotpConfirmation, options: RequestOptions = {}): ApiPromise<RecoveryCodes> {
    return this.#http.json({ method: 'PUT', path: '/api/v1/Me/totp', body }, options)
  }

  /**
   * Switch the second factor off.
   *
   * Needs a person who has signed in; a key cannot call it.
   *
   * @returns Signing in needs the password alone; there is no body.
   */
  deleteTotp(body: PasswordProof, options: RequestOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'DELETE', path: '/api/v1/Me/totp', body }, options)
  }

  /**
   * What an MCP client asks for.
   *
   * For the page that asks a person: who asks, and what for, as far as that can be checked.
   *
   * Needs a person who has signed in; a key cannot call it.
   *
   * @returns Who asks, and what for.
   */
  presentMcpRequest(body: McpAccessRequest, options: RequestOptions = {}): ApiPromise<PresentedMcpRequest> {
    return this.#http.json({ method: 'POST', path: '/api/v1/Me/mcp-request', body }, options)
  }

  /**
   * Let an MCP client act in your name, or not.
   *
   * Needs a person who has signed in; a key cannot call it.
   *
   * @returns Where to send the browser, with a code that works once for a minute, or with the refusal.
   */
  decideMcpRequest(body: McpDecision, options: RequestOptions = {}): ApiPromise<McpRedirect> {
    return this.#http.json({ method: 'POST', path: '/api/v1/Me/mcp-grant', body }, options)
  }

  /**
   * Which MCP clients act in your name.
   *
   * Needs a person who has signed in; a key cannot call it.
   *
   * @returns One page of your grants, in all your organizations.
   */
  listMcpGrants(query: ListMeMcpGrantsQuery = {}, options: RequestOptions = {}): ListPromise<McpGrant> {
    return this.#http.list({ method: 'GET', path: '/api/v1/Me/mcp-grant', query }, options)
  }

  /**
   * Revoke a grant of yours.
   *
   * Needs a person who has signed in; a key cannot call it.
   *
   * @returns The tokens stopped working; there is no body.
   */
  deleteMcpGrant(mcpGrantId: string, options: RequestOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'DELETE', path: `/api/v1/Me/mcp-grant/${segment('mcpGrantId', mcpGrantId)}` }, options)
  }
}
