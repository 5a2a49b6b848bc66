// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { ApiKey, ApiKeyInput, CreatedApiKey } from '../schemas/api-key.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { ListPromise } from '../../rest/list-promise.js'
import type { RequestOptions } from '../../rest/request-options.js'
import { segment } from '../../rest/request-url.js'

export interface ListApiKeysQuery {
  /** The number of items to skip. Default: `0`. */
  Offset?: number | undefined
  /** The maximum number of items. Default: `50`. */
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
   * Requires the scope `org:manage`.
   *
   * @returns One page of the keys, without their secrets.
   */
  list(query: ListApiKeysQuery = {}, options: RequestOptions = {}): ListPromise<ApiKey> {
    return this.#http.list({ method: 'GET', path: '/api/v1/ApiKey', query }, options)
  }

  /**
   * Create an API key.
   *
   * The answer contains the key, which is never shown again. It cannot have more scopes or a later expiry than
   * the calling key.
   *
   * Requires the scope `org:manage`.
   *
   * @returns The key, with its secret, which is shown only once.
   */
  create(body: ApiKeyInput, options: RequestOptions = {}): ApiPromise<CreatedApiKey> {
    return this.#http.json({ method: 'POST', path: '/api/v1/ApiKey', body }, options)
  }

  /**
   * Read a key.
   *
   * Requires the scope `org:manage`.
   *
   * @returns The key, without its secret.
   */
  get(apiKeyId: string, options: RequestOptions = {}): ApiPromise<ApiKey> {
    return this.#http.json({ method: 'GET', path: `/api/v1/ApiKey/${segment('apiKeyId', apiKeyId)}` }, options)
  }

  /**
   * Delete a key.
   *
   * The key stops working immediately. The last unexpired key that can manage the organization cannot be
   * deleted (409).
   *
   * Requires the scope `org:manage`.
   *
   * @returns The key is deleted. The answer has no body.
   */
  delete(apiKeyId: string, options: RequestOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'DELETE', path: `/api/v1/ApiKey/${segment('apiKeyId', apiKeyId)}` }, options)
  }
}
