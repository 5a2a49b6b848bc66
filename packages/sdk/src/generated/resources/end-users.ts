// Generated from the contract by `npm run generate`. Do not edit.

import type { EndUser, EndUserFact, EndUserFactInput, EndUserFactPatch, EndUserPatch } from '../schemas/end-user.js'
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

export interface ListEndUserFactsQuery {
  /** The number of items to skip. Default: `0`. */
  Offset?: number | undefined
  /** The maximum number of items to return. Default: `50`. */
  Limit?: number | undefined
  /** Only return facts of this agent. */
  AgentId?: string | undefined
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

  /**
   * Erase an end user.
   *
   * Starts the erasure and returns immediately. The service then ends the sessions and turns of the end user,
   * and removes conversations, files and tasks in the background. The end user shows the progress, and is
   * removed last. New requests that name the end user return `ErasureInProgress` until then.
   *
   * Requires the scope `conversation:write`.
   *
   * @returns The end user with the progress of the erasure.
   */
  delete(endUserId: string, options: RequestOptions = {}): ApiPromise<EndUser> {
    return this.#http.json({ method: 'DELETE', path: `/api/v1/EndUser/${segment('endUserId', endUserId)}`, isLong: true }, options)
  }

  /**
   * Export an end user.
   *
   * Streams all data about the end user. Each line is a JSON object with the `table` and the `row`.
   *
   * Requires the scope `conversation:read`.
   *
   * @returns The data of the end user as a stream.
   */
  export(endUserId: string, options: RequestOptions = {}): ApiPromise<Response> {
    return this.#http.raw({ method: 'GET', path: `/api/v1/EndUser/${segment('endUserId', endUserId)}/export` }, options)
  }

  /**
   * List the facts about an end user.
   *
   * The facts that agents with `memory` remember about the end user, newest first.
   *
   * Requires the scope `conversation:read`.
   *
   * @returns One page of the facts.
   */
  listFacts(
    endUserId: string,
    query: ListEndUserFactsQuery = {},
    options: RequestOptions = {},
  ): ListPromise<EndUserFact> {
    return this.#http.list({ method: 'GET', path: `/api/v1/EndUser/${segment('endUserId', endUserId)}/fact`, query }, options)
  }

  /**
   * Add a fact about an end user.
   *
   * An agent remembers at most 200 facts about an end user. The oldest is removed.
   *
   * Requires the scope `conversation:write`.
   *
   * @returns The stored fact.
   */
  createFact(
    endUserId: string,
    body: EndUserFactInput,
    options: RequestOptions = {},
  ): ApiPromise<EndUserFact> {
    return this.#http.json({ method: 'POST', path: `/api/v1/EndUser/${segment('endUserId', endUserId)}/fact`, body }, options)
  }

  /**
   * Update a fact about an end user.
   *
   * Requires the scope `conversation:write`.
   *
   * @returns The updated fact.
   */
  patchFact(
    endUserId: string,
    endUserFactId: string,
    body: EndUserFactPatch,
    options: ChangeOptions = {},
  ): ApiPromise<EndUserFact> {
    return this.#http.json({ method: 'PATCH', path: `/api/v1/EndUser/${segment('endUserId', endUserId)}/fact/${segment('endUserFactId', endUserFactId)}`, body }, options)
  }

  /**
   * Delete a fact about an end user.
   *
   * Requires the scope `conversation:write`.
   *
   * @returns The fact was deleted. The response has no body.
   */
  deleteFact(endUserId: string, endUserFactId: string, options: ChangeOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'DELETE', path: `/api/v1/EndUser/${segment('endUserId', endUserId)}/fact/${segment('endUserFactId', endUserFactId)}` }, options)
  }
}
