// Generated from the contract by `npm run generate`. What is changed here is lost.

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
  /** The maximum number of items. Default: `50`. */
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
   * Invite a person.
   *
   * The answer contains the link, which is never shown again. It works once, for seven days.
   *
   * Requires the scope `org:manage`.
   *
   * @returns The invitation, with its link, which is shown only once.
   */
  create(body: InvitationInput, options: RequestOptions = {}): ApiPromise<CreatedInvitation> {
    return this.#http.json({ method: 'POST', path: '/api/v1/Invitation', body }, options)
  }

  /**
   * Revoke an invitation.
   *
   * Requires the scope `org:manage`.
   *
   * @returns The invitation is deleted and its link no longer works. The answer has no body.
   */
  delete(invitationId: string, options: RequestOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'DELETE', path: `/api/v1/Invitation/${segment('invitationId', invitationId)}` }, options)
  }

  /**
   * Preview an invitation.
   *
   * Requires neither a key nor a session.
   *
   * @returns What the link reveals.
   */
  find(body: InvitationToken, options: RequestOptions = {}): ApiPromise<PresentedInvitation> {
    return this.#http.json({ method: 'POST', path: '/api/v1/Invitation/by-token', body }, options)
  }

  /**
   * Accept an invitation.
   *
   * A new person gives a name and a new password. A known person gives their password, or is signed in. The
   * person is signed in afterwards.
   *
   * Requires neither a key nor a session.
   *
   * @returns The signed-in person. The cookie is set.
   */
  accept(body: InvitationAcceptance, options: RequestOptions = {}): ApiPromise<SignedIn> {
    return this.#http.json({ method: 'POST', path: '/api/v1/Invitation/accept', body }, options)
  }
}
