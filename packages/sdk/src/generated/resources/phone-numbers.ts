// Generated from the contract by `npm run generate`. Do not edit.

import type { PhoneNumber, PhoneNumberInput, PhoneNumberPatch, PhoneNumberUpsert } from '../schemas/phone-number.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { ListPromise } from '../../rest/list-promise.js'
import type { ChangeOptions, CreateOptions, DryRunOptions, RequestOptions } from '../../rest/request-options.js'
import { segment } from '../../rest/request-url.js'

export interface ListPhoneNumbersQuery {
  /** The number of items to skip. Default: `0`. */
  Offset?: number | undefined
  /** The maximum number of items to return. Default: `50`. */
  Limit?: number | undefined
  /** Only return phone numbers whose name or number contains this text. */
  Search?: string | undefined
  /** Only return phone numbers of this agent. */
  AgentId?: string | undefined
  /** Only return phone numbers of this phone connection. */
  PhoneConnectionId?: string | undefined
}

export class PhoneNumbers {
  readonly #http: HttpClient

  constructor(http: HttpClient) {
    this.#http = http
  }

  /**
   * List phone numbers.
   *
   * Requires the scope `phone:read`.
   *
   * @returns One page of the phone numbers.
   */
  list(query: ListPhoneNumbersQuery = {}, options: RequestOptions = {}): ListPromise<PhoneNumber> {
    return this.#http.list({ method: 'GET', path: '/api/v1/PhoneNumber', query }, options)
  }

  /**
   * Create a phone number.
   *
   * Requires the scope `phone:write`.
   *
   * @returns The created phone number.
   */
  create(body: PhoneNumberInput, options: CreateOptions & DryRunOptions = {}): ApiPromise<PhoneNumber> {
    return this.#http.json({ method: 'POST', path: '/api/v1/PhoneNumber', body, takesIdempotencyKey: true }, options)
  }

  /**
   * Retrieve a phone number.
   *
   * Requires the scope `phone:read`.
   *
   * @returns The requested phone number.
   */
  get(phoneNumberId: string, options: RequestOptions = {}): ApiPromise<PhoneNumber> {
    return this.#http.json({ method: 'GET', path: `/api/v1/PhoneNumber/${segment('phoneNumberId', phoneNumberId)}` }, options)
  }

  /**
   * Replace a phone number.
   *
   * Omitted fields are set to their defaults.
   *
   * Requires the scope `phone:write`.
   *
   * @returns The updated phone number.
   */
  replace(
    phoneNumberId: string,
    body: PhoneNumberInput,
    options: ChangeOptions & DryRunOptions = {},
  ): ApiPromise<PhoneNumber> {
    return this.#http.json({ method: 'PUT', path: `/api/v1/PhoneNumber/${segment('phoneNumberId', phoneNumberId)}`, body }, options)
  }

  /**
   * Update a phone number.
   *
   * Applies a JSON merge patch. Omitted fields keep their values, objects are merged, and arrays are replaced
   * as a whole.
   *
   * Requires the scope `phone:write`.
   *
   * @returns The updated phone number.
   */
  patch(
    phoneNumberId: string,
    body: PhoneNumberPatch,
    options: ChangeOptions & DryRunOptions = {},
  ): ApiPromise<PhoneNumber> {
    return this.#http.json({ method: 'PATCH', path: `/api/v1/PhoneNumber/${segment('phoneNumberId', phoneNumberId)}`, body }, options)
  }

  /**
   * Delete a phone number.
   *
   * Active calls of the number continue.
   *
   * Requires the scope `phone:write`.
   *
   * @returns The phone number was deleted. The response has no body.
   */
  delete(phoneNumberId: string, options: ChangeOptions & DryRunOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'DELETE', path: `/api/v1/PhoneNumber/${segment('phoneNumberId', phoneNumberId)}` }, options)
  }

  /**
   * Create or replace a phone number by its external ID.
   *
   * Returns 201 if the phone number was created, and 200 if it was replaced. Concurrent requests are safe:
   * there is at most one phone number per external ID. Omitted fields are set to their defaults.
   *
   * Requires the scope `phone:write`.
   *
   * @returns The created or updated phone number.
   */
  upsert(
    externalId: string,
    body: PhoneNumberUpsert,
    options: ChangeOptions & DryRunOptions = {},
  ): ApiPromise<PhoneNumber> {
    return this.#http.json({ method: 'PUT', path: `/api/v1/PhoneNumber/external/${segment('externalId', externalId)}`, body }, options)
  }
}
