// Generated from the contract by `npm run generate`. Do not edit.

import type { ApiKey, ApiKeyInput, CreatedApiKey } from '../schemas/api-key.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { ListPromise } from '../../rest/list-promise.js'
import type { RequestOptions } from '../../rest/request-options.js'
import { segment } from '../../rest/request-url.js'

export interface ListApiKeysQuery {
  /** The number of items to skip. Default: `0`. */
  Offset?: number | undefined
  /** The maximum number of items to return. Default: `50`. */
  Limit?: number | undefined
}

export class ApiKeys {
  readonly #http: HttpClient

  constructor(http: HttpClient) {
    this.#http = http
  }

  /**
   * List API keys.
   *
   * Requires the scope `org:manage`.
   *
   * @returns One page of the API keys, without their secrets.
   */
  list(query: ListApiKeysQuery = {}, options: RequestOptions = {}): ListPromise<ApiKey> {
    return this.#http.list({ method: 'GET', path: '/api/v1/ApiKey', query }, options)
  }

  /**
   * Create an API key.
   *
   * The response contains the key, which is returned only once. A key cannot have more scopes or a later
   * expiration than the key that creates it.
   *
   * Requires the scope `org:manage`.
   *
   * @returns The API key, including its secret.
   */
  create(body: ApiKeyInput, options: RequestOptions = {}): ApiPromise<CreatedApiKey> {
    return this.#http.json({ method: 'POST', path: '/api/v1/ApiKey', body }, options)
  }

  /**
   * Retrieve an API key.
   *
   * Requires the scope `org:manage`.
   *
   * @returns The API key, without its secret.
   */
  get(apiKeyId: string, options: RequestOptions = {}): ApiPromise<ApiKey> {
    return this.#http.json({ method: 'GET', path: `/api/v1/ApiKey/${segment('apiKeyId', apiKeyId)}` }, options)
  }

  /**
   * Delete an API key.
   *
   * The key stops working immediately. The last valid key that can manage the organization cannot be deleted
   * (409).
   *
   * Requires the scope `org:manage`.
   *
   * @returns The API key was deleted. The response has no body.
   */
  delete(apiKeyId: string, options: RequestOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'DELETE', path: `/api/v1/ApiKey/${segment('apiKeyId', apiKeyId)}` }, options)
  }
}
