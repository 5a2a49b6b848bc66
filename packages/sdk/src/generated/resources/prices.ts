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
   * Requires the scope `usage:read`.
   *
   * @returns The organization's own prices, and the built-in ones.
   */
  get(options: RequestOptions = {}): ApiPromise<PriceList> {
    return this.#http.json({ method: 'GET', path: '/api/v1/Price' }, options)
  }

  /**
   * Replace the organization's own prices.
   *
   * They apply to future usage. Recorded usage keeps its cost.
   *
   * Requires the scope `usage:write`.
   *
   * @returns The updated prices.
   */
  replace(body: PriceListInput, options: ChangeOptions = {}): ApiPromise<PriceList> {
    return this.#http.json({ method: 'PUT', path: '/api/v1/Price', body }, options)
  }
}
