// Generated from the contract by `npm run generate`. Do not edit.

import type { CreatedInvitation, Invitation, InvitationAcceptance, InvitationInput, InvitationToken, PresentedInvitation } from '../schemas/invitation.js'
import type { SignedIn } from '../schemas/me.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { ListPromise } from '../../rest/list-promise.js'
import type { RequestOptions } from '../../rest/request-options.js'
import { segment } from '../../rest/request-url.js'

export interface ListInvitationsQuery {
  /** The number of items to skip. Default: `0`. */
  Offset?: number | undefined
  /** The maximum number of items to return. Default: `50`. */
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
   * Requires the scope `org:manage`.
   *
   * @returns One page of the invitations, without their links.
   */
  list(query: ListInvitationsQuery = {}, options: RequestOptions = {}): ListPromise<Invitation> {
    return this.#http.list({ method: 'GET', path: '/api/v1/Invitation', query }, options)
  }

  /**
   * Create an invitation.
   *
   * The response contains the invitation link, which is returned only once. The link can be used once within
   * seven days.
   *
   * Requires the scope `org:manage`.
   *
   * @returns The invitation, including its link.
   */
  create(body: InvitationInput, options: RequestOptions = {}): ApiPromise<CreatedInvitation> {
    return this.#http.json({ method: 'POST', path: '/api/v1/Invitation', body }, options)
  }

  /**
   * Revoke an invitation.
   *
   * Requires the scope `org:manage`.
   *
   * @returns The invitation was revoked. The response has no body.
   */
  delete(invitationId: string, options: RequestOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'DELETE', path: `/api/v1/Invitation/${segment('invitationId', invitationId)}` }, options)
  }

  /**
   * Preview an invitation.
   *
   * No authentication is required.
   *
   * @returns The details of the invitation.
   */
  find(body: InvitationToken, options: RequestOptions = {}): ApiPromise<PresentedInvitation> {
    return this.#http.json({ method: 'POST', path: '/api/v1/Invitation/by-token', body }, options)
  }

  /**
   * Accept an invitation.
   *
   * New users send a name and a new password. Existing users send their password, or are already signed in.
   * Afterwards, the user is signed in.
   *
   * No authentication is required.
   *
   * @returns The signed-in user. The session cookie is set.
   */
  accept(body: InvitationAcceptance, options: RequestOptions = {}): ApiPromise<SignedIn> {
    return this.#http.json({ method: 'POST', path: '/api/v1/Invitation/accept', body }, options)
  }
}
