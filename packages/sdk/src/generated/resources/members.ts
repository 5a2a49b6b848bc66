// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { Member, MemberPatch } from '../schemas/member.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { ListPromise } from '../../rest/list-promise.js'
import type { RequestOptions } from '../../rest/request-options.js'
import { segment } from '../../rest/request-url.js'

export interface ListMembersQuery {
  /** How many items to skip. Default: `0`. */
  Offset?: number | undefined
  /** How many items to answer at most. Default: `50`. */
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
   * Needs the scope `org:manage`.
   *
   * @returns One page of the members.
   */
  list(query: ListMembersQuery = {}, options: RequestOptions = {}): ListPromise<Member> {
    return this.#http.list({ method: 'GET', path: '/api/v1/Member', query }, options)
  }

  /**
   * Change a role.
   *
   * Holds from the next call of the person on. Owners alone make, change and remove owners, and the last one
   * stays an owner (409). Open invitations that the person could not make any more end.
   *
   * Needs the scope `org:manage`.
   *
   * @returns The member, as it is stored now.
   */
  patch(memberId: string, body: MemberPatch, options: RequestOptions = {}): ApiPromise<Member> {
    return this.#http.json({ method: 'PATCH', path: `/api/v1/Member/${segment('memberId', memberId)}`, body }, options)
  }

  /**
   * Remove a member.
   *
   * The next call of the person to this organization is refused, and their open invitations end. The last
   * owner stays (409).
   *
   * Needs the scope `org:manage`.
   *
   * @returns The member is removed; there is no body.
   */
  delete(memberId: string, options: RequestOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'DELETE', path: `/api/v1/Member/${segment('memberId', memberId)}` }, options)
  }
}
