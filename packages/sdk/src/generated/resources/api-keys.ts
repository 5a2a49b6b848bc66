// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { ApiKey, ApiKeyInput, CreatedApiKey } from '../schemas/api-key.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { ListPromise } from '../../rest/list-promise.js'
import type { RequestOptions } from '../../rest/request-options.js'
import { segment } from '../../rest/request-url.js'

export interface ListApiKeysQuery {
  /** How many items to skip. Default: `0`. */
  Offset?: number | undefined
  /** How many items to answer at most. Default: `50`. */
  Limit?: number | undefined
}

export class ApiKeys {
  readonly #http: HttpClient

  constructor(http: HttpClient) {
    this.#http = http
  }

  /**
   * List keys.
   *
   * Needs the scope `org:manage`.
   *
   * @returns One page of the keys, without their secrets.
   */
  list(query: ListApiKeysQuery = {}, options: RequestOptions = {}): ListPromise<ApiKey> {
    return this.#http.list({ method: 'GET', path: '/api/v1/ApiKey', query }, options)
  }

  /**
   * Make a key.
   *
   * The key is in the answer and is never shown again. It can do no more, and live no longer, than the calling
   * key.
   *
   * Needs the scope `org:manage`.
   *
   * @returns The key, with its secret, which is shown this once.
   */
  create(body: ApiKeyInput, options: RequestOptions = {}): ApiPromise<CreatedApiKey> {
    return this.#http.json({ method: 'POST', path: '/api/v1/ApiKey', body }, options)
  }

  /**
   * Read a key.
   *
   * Needs the scope `org:manage`.
   *
   * @returns The key, without its secret.
   */
  get(apiKeyId: string, options: RequestOptions = {}): ApiPromise<ApiKey> {
    return this.#http.json({ method: 'GET', path: `/api/v1/ApiKey/${segment('apiKeyId', apiKeyId)}` }, options)
  }

  /**
   * Delete a key.
   *
   * It stops working at once. The last key that has not expired and can manage the organization is refused
   * with 409.
   *
   * Needs the scope `org:manage`.
   *
   * @returns The key is deleted; there is no body.
   */
  delete(apiKeyId: string, options: RequestOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'DELETE', path: `/api/v1/ApiKey/${segment('apiKeyId', apiKeyId)}` }, options)
  }
}
