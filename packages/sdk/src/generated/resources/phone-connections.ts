// Generated from the contract by `npm run generate`. Do not edit.

import type { PhoneConnection, PhoneConnectionInput, PhoneConnectionPatch, PhoneConnectionTest, PhoneConnectionUpsert } from '../schemas/phone-connection.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { ListPromise } from '../../rest/list-promise.js'
import type { ChangeOptions, CreateOptions, DryRunOptions, RequestOptions } from '../../rest/request-options.js'
import { segment } from '../../rest/request-url.js'

export interface ListPhoneConnectionsQuery {
  /** The number of items to skip. Default: `0`. */
  Offset?: number | undefined
  /** The maximum number of items to return. Default: `50`. */
  Limit?: number | undefined
  /** Only return phone connections whose name contains this text. */
  Search?: string | undefined
}

export class PhoneConnections {
  readonly #http: HttpClient

  constructor(http: HttpClient) {
    this.#http = http
  }

  /**
   * List phone connections.
   *
   * Requires the scope `phone:read`.
   *
   * @returns One page of the phone connections.
   */
  list(query: ListPhoneConnectionsQuery = {}, options: RequestOptions = {}): ListPromise<PhoneConnection> {
    return this.#http.list({ method: 'GET', path: '/api/v1/PhoneConnection', query }, options)
  }

  /**
   * Create a phone connection.
   *
   * Requires the scope `phone:write`.
   *
   * @returns The created phone connection.
   */
  create(
    body: PhoneConnectionInput,
    options: CreateOptions & DryRunOptions = {},
  ): ApiPromise<PhoneConnection> {
    return this.#http.json({ method: 'POST', path: '/api/v1/PhoneConnection', body, takesIdempotencyKey: true }, options)
  }

  /**
   * Retrieve a phone connection.
   *
   * Requires the scope `phone:read`.
   *
   * @returns The requested phone connection.
   */
  get(phoneConnectionId: string, options: RequestOptions = {}): ApiPromise<PhoneConnection> {
    return this.#http.json({ method: 'GET', path: `/api/v1/PhoneConnection/${segment('phoneConnectionId', phoneConnectionId)}` }, options)
  }

  /**
   * Replace a phone connection.
   *
   * Omitted fields are set to their defaults. If `secret` is omitted, the stored secret is kept, unless
   * `kind`, `accountId`, `baseUrl` or `sip.host` changes.
   *
   * Requires the scope `phone:write`.
   *
   * @returns The updated phone connection.
   */
  replace(
    phoneConnectionId: string,
    body: PhoneConnectionInput,
    options: ChangeOptions & DryRunOptions = {},
  ): ApiPromise<PhoneConnection> {
    return this.#http.json({ method: 'PUT', path: `/api/v1/PhoneConnection/${segment('phoneConnectionId', phoneConnectionId)}`, body }, options)
  }

  /**
   * Update a phone connection.
   *
   * Applies a JSON merge patch. Omitted fields keep their values, objects are merged, and arrays are replaced
   * as a whole.
   *
   * Requires the scope `phone:write`.
   *
   * @returns The updated phone connection.
   */
  patch(
    phoneConnectionId: string,
    body: PhoneConnectionPatch,
    options: ChangeOptions & DryRunOptions = {},
  ): ApiPromise<PhoneConnection> {
    return this.#http.json({ method: 'PATCH', path: `/api/v1/PhoneConnection/${segment('phoneConnectionId', phoneConnectionId)}`, body }, options)
  }

  /**
   * Delete a phone connection.
   *
   * A phone connection cannot be deleted while it has phone numbers or calls that have not ended (409).
   *
   * Requires the scope `phone:write`.
   *
   * @returns The phone connection was deleted. The response has no body.
   */
  delete(phoneConnectionId: string, options: ChangeOptions & DryRunOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'DELETE', path: `/api/v1/PhoneConnection/${segment('phoneConnectionId', phoneConnectionId)}` }, options)
  }

  /**
   * Create or replace a phone connection by its external ID.
   *
   * Returns 201 if the phone connection was created, and 200 if it was replaced. Concurrent requests are safe:
   * there is at most one phone connection per external ID. Omitted fields are set to their defaults. If
   * `secret` is omitted, the stored secret is kept, unless `kind`, `accountId`, `baseUrl` or `sip.host`
   * changes.
   *
   * Requires the scope `phone:write`.
   *
   * @returns The created or updated phone connection.
   */
  upsert(
    externalId: string,
    body: PhoneConnectionUpsert,
    options: ChangeOptions & DryRunOptions = {},
  ): ApiPromise<PhoneConnection> {
    return this.#http.json({ method: 'PUT', path: `/api/v1/PhoneConnection/external/${segment('externalId', externalId)}`, body }, options)
  }

  /**
   * Test a phone connection.
   *
   * Sends a request to the provider with the stored secret, and returns the result. No call is made.
   *
   * Requires the scope `phone:write`.
   *
   * @returns The result of the test.
   */
  test(phoneConnectionId: string, options: RequestOptions = {}): ApiPromise<PhoneConnectionTest> {
    return this.#http.json({ method: 'POST', path: `/api/v1/PhoneConnection/${segment('phoneConnectionId', phoneConnectionId)}/test` }, options)
  }
}
