// Generated from the contract by `npm run generate`. What is changed here is lost.

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
   * Read prices.
   *
   * Needs the scope `usage:read`.
   *
   * @returns The organization's own prices, and those that come with the service.
   */
  get(options: RequestOptions = {}): ApiPromise<PriceList> {
    return this.#http.json({ method: 'GET', path: '/api/v1/Price' }, options)
  }

  /**
   * Replace the organization's own prices.
   *
   * They count for what is used from now on: what was used before keeps the cost it was counted with.
   *
   * Needs the scope `usage:write`.
   *
   * @returns The prices, as they are stored now.
   */
  replace(body: PriceListInput, options: ChangeOptions = {}): ApiPromise<PriceList> {
    return this.#http.json({ method: 'PUT', path: '/api/v1/Price', body }, options)
  }
}
