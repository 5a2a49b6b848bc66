// Generated from the contract by `npm run generate`. Do not edit.

import type { Member, MemberPatch } from '../schemas/member.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { ListPromise } from '../../rest/list-promise.js'
import type { RequestOptions } from '../../rest/request-options.js'
import { segment } from '../../rest/request-url.js'

export interface ListMembersQuery {
  /** The number of items to skip. Default: `0`. */
  Offset?: number | undefined
  /** The maximum number of items to return. Default: `50`. */
  Limit?: number | undefined
}

export class Members {
  readonly #http: HttpClient

  constructor(http: HttpClient) {
    this.#http = http
  }

  /**
   * List members.
   *
   * Requires the scope `org:manage`.
   *
   * @returns One page of the members.
   */
  list(query: ListMembersQuery = {}, options: RequestOptions = {}): ListPromise<Member> {
    return this.#http.list({ method: 'GET', path: '/api/v1/Member', query }, options)
  }

  /**
   * Change the role of a member.
   *
   * The new role applies from the next request of the user. Only owners can add, change and remove owners. The
   * role of the last owner cannot be changed (409). Open invitations of the member that exceed the new role
   * are revoked.
   *
   * Requires the scope `org:manage`.
   *
   * @returns The updated member.
   */
  patch(memberId: string, body: MemberPatch, options: RequestOptions = {}): ApiPromise<Member> {
    return this.#http.json({ method: 'PATCH', path: `/api/v1/Member/${segment('memberId', memberId)}`, body }, options)
  }

  /**
   * Remove a member.
   *
   * The user immediately loses access to the organization, and their open invitations are revoked. The last
   * owner cannot be removed (409).
   *
   * Requires the scope `org:manage`.
   *
   * @returns The member was removed. The response has no body.
   */
  delete(memberId: string, options: RequestOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'DELETE', path: `/api/v1/Member/${segment('memberId', memberId)}` }, options)
  }
}
