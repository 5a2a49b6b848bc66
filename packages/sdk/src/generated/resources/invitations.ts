// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { CreatedInvitation, Invitation, InvitationAcceptance, InvitationInput, InvitationToken, PresentedInvitation } from '../schemas/invitation.js'
import type { SignedIn } from '../schemas/me.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { ListPromise } from '../../rest/list-promise.js'
import type { RequestOptions } from '../../rest/request-options.js'
import { segment } from '../../rest/request-url.js'

export interface ListInvitationsQuery {
  /** How many items to skip. Default: `0`. */
  Offset?: number | undefined
  /** How many items to answer at most. Default: `50`. */
  Limit?: number | undefined
}

export class Invitations {
  readonly #http: HttpClient

  constructor(http: HttpClient) {
    this.#http = http
  }

  /**
   * List invitations.
   *
   * Needs the scope `org:manage`.
   *
   * @returns One page of the invitations, without their links.
   */
  list(query: ListInvitationsQuery = {}, options: RequestOptions = {}): ListPromise<Invitation> {
    return this.#http.list({ method: 'GET', path: '/api/v1/Invitation', query }, options)
  }

  /**
   * Invite a person.
   *
   * The link is in the answer and is never shown again. It works once, for seven days.
   *
   * Needs the scope `org:manage`.
   *
   * @returns The invitation, with its link, which is shown this once.
   */
  create(body: InvitationInput, options: RequestOptions = {}): ApiPromise<CreatedInvitation> {
    return this.#http.json({ method: 'POST', path: '/api/v1/Invitation', body }, options)
  }

  /**
   * Take an invitation back.
   *
   * Needs the scope `org:manage`.
   *
   * @returns The invitation is deleted, and its link works no more; there is no body.
   */
  delete(invitationId: string, options: RequestOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'DELETE', path: `/api/v1/Invitation/${segment('invitationId', invitationId)}` }, options)
  }

  /**
   * See what an invitation is for.
   *
   * Needs neither a key nor a session.
   *
   * @returns What whoever has the link may know.
   */
  find(body: InvitationToken, options: RequestOptions = {}): ApiPromise<PresentedInvitation> {
    return this.#http.json({ method: 'POST', path: '/api/v1/Invitation/by-token', body }, options)
  }

  /**
   * Accept an invitation.
   *
   * Whoever is new here gives a name and a new password; whoever has one here gives that one, or is signed in.
   * One is signed in afterwards.
   *
   * Needs neither a key nor a session.
   *
   * @returns Who is signed in now; the cookie is set.
   */
  accept(body: InvitationAcceptance, options: RequestOptions = {}): ApiPromise<SignedIn> {
    return this.#http.json({ method: 'POST', path: '/api/v1/Invitation/accept', body }, options)
  }
}
