// Generated from the contract by `npm run generate`. Do not edit.

import type { PriceList, PriceListInput } from '../schemas/price.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { ChangeOptions, RequestOptions } from '../../rest/request-options.js'

export class Prices {
  readonly #http: HttpClient

  constructor(http: HttpClient) {
    this.#http = http
  }

  /**
   * Retrieve prices.
   *
   * Requires the scope `usage:read`.
   *
   * @returns The custom prices of the organization, and the built-in prices.
   */
  get(options: RequestOptions = {}): ApiPromise<PriceList> {
    return this.#http.json({ method: 'GET', path: '/api/v1/Price' }, options)
  }

  /**
   * Replace the custom prices.
   *
   * The new prices apply to future usage. The cost of recorded usage does not change.
   *
   * Requires the scope `usage:write`.
   *
   * @returns The updated custom prices, and the built-in prices.
   */
  replace(body: PriceListInput, options: ChangeOptions = {}): ApiPromise<PriceList> {
    return this.#http.json({ method: 'PUT', path: '/api/v1/Price', body }, options)
  }
}
