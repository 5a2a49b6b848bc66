// Generated from the contract by `npm run generate`. Do not edit.

import type { EndUser, EndUserPatch } from '../schemas/end-user.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { ListPromise } from '../../rest/list-promise.js'
import type { ChangeOptions, RequestOptions } from '../../rest/request-options.js'
import { segment } from '../../rest/request-url.js'

export interface ListEndUsersQuery {
  /** The number of items to skip. Default: `0`. */
  Offset?: number | undefined
  /** The maximum number of items to return. Default: `50`. */
  Limit?: number | undefined
  /** Only return the end user with exactly this external ID. */
  ExternalId?: string | undefined
  /** Only return end users whose external ID or name contains this text. */
  Search?: string | undefined
  /** A value that the metadata must have. At most 5. */
  [filter: `Metadata.${string}`]: string | undefined
}

export class EndUsers {
  readonly #http: HttpClient

  constructor(http: HttpClient) {
    this.#http = http
  }

  /**
   * List end users.
   *
   * Query parameters such as `Metadata.plan=pro` return only items whose metadata has this value. At most 5.
   *
   * Requires the scope `conversation:read`.
   *
   * @returns One page of the end users.
   */
  list(query: ListEndUsersQuery = {}, options: RequestOptions = {}): ListPromise<EndUser> {
    return this.#http.list({ method: 'GET', path: '/api/v1/EndUser', query }, options)
  }

  /**
   * Retrieve an end user.
   *
   * Requires the scope `conversation:read`.
   *
   * @returns The end user.
   */
  get(endUserId: string, options: RequestOptions = {}): ApiPromise<EndUser> {
    return this.#http.json({ method: 'GET', path: `/api/v1/EndUser/${segment('endUserId', endUserId)}` }, options)
  }

  /**
   * Update an end user.
   *
   * A merge patch: omitted fields stay, and metadata is merged.
   *
   * Requires the scope `conversation:write`.
   *
   * @returns The updated end user.
   */
  patch(endUserId: string, body: EndUserPatch, options: ChangeOptions = {}): ApiPromise<EndUser> {
    return this.#http.json({ method: 'PATCH', path: `/api/v1/EndUser/${segment('endUserId', endUserId)}`, body }, options)
  }
}
