// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { Member, MemberPatch } from '../schemas/member.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { ListPromise } from '../../rest/list-promise.js'
import type { RequestOptions } from '../../rest/request-options.js'
import { segment } from '../../rest/request-url.js'

export interface ListMembersQuery {
  /** The number of items to skip. Default: `0`. */
  Offset?: number | undefined
  /** The maximum number of items. Default: `50`. */
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
   * Change a role.
   *
   * Takes effect with the person's next call. Only owners can add, change and remove owners, and the last
   * owner cannot change (409). Open invitations that exceed the new role end.
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
   * The person's next call to this organization is rejected, and their open invitations end. The last owner
   * cannot be removed (409).
   *
   * Requires the scope `org:manage`.
   *
   * @returns The member is removed. The answer has no body.
   */
  delete(memberId: string, options: RequestOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'DELETE', path: `/api/v1/Member/${segment('memberId', memberId)}` }, options)
  }
}
