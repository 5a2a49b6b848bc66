// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { Connection, ConnectionInput, ConnectionPatch, ConnectionTest, ConnectionUpsert } from '../schemas/connection.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { ListPromise } from '../../rest/list-promise.js'
import type { ChangeOptions, CreateOptions, DryRunOptions, RequestOptions } from '../../rest/request-options.js'
import { segment } from '../../rest/request-url.js'

export interface ListConnectionsQuery {
  /** The number of items to skip. Default: `0`. */
  Offset?: number | undefined
  /** The maximum number of items. Default: `50`. */
  Limit?: number | undefined
  /** Only connections whose name contains this text. */
  Search?: string | undefined
}

export class Connections {
  readonly #http: HttpClient

  constructor(http: HttpClient) {
    this.#http = http
  }

  /**
   * List connections.
   *
   * Requires the scope `connection:read`.
   *
   * @returns One page of the connections.
   */
  list(query: ListConnectionsQuery = {}, options: RequestOptions = {}): ListPromise<Connection> {
    return this.#http.list({ method: 'GET', path: '/api/v1/Connection', query }, options)
  }

  /**
   * Create a connection.
   *
   * Requires the scope `connection:write`.
   *
   * @returns The stored connection.
   */
  create(body: ConnectionInput, options: CreateOptions & DryRunOptions = {}): ApiPromise<Connection> {
    return this.#http.json({ method: 'POST', path: '/api/v1/Connection', body, takesIdempotencyKey: true }, options)
  }

  /**
   * Read a connection.
   *
   * Requires the scope `connection:read`.
   *
   * @returns The stored connection.
   */
  get(connectionId: string, options: RequestOptions = {}): ApiPromise<Connection> {
    return this.#http.json({ method: 'GET', path: `/api/v1/Connection/${segment('connectionId', connectionId)}` }, options)
  }

  /**
   * Replace a connection.
   *
   * Fields that are left out get their defaults. The key stays if it is left out, unless the address changes.
   *
   * Requires the scope `connection:write`.
   *
   * @returns The updated connection.
   */
  replace(
    connectionId: string,
    body: ConnectionInput,
    options: ChangeOptions & DryRunOptions = {},
  ): ApiPromise<Connection> {
    return this.#http.json({ method: 'PUT', path: `/api/v1/Connection/${segment('connectionId', connectionId)}`, body }, options)
  }

  /**
   * Change a connection.
   *
   * A merge patch: fields that are left out stay, objects are merged, arrays are replaced as a whole.
   *
   * Requires the scope `connection:write`.
   *
   * @returns The updated connection.
   */
  patch(
    connectionId: string,
    body: ConnectionPatch,
    options: ChangeOptions & DryRunOptions = {},
  ): ApiPromise<Connection> {
    return this.#http.json({ method: 'PATCH', path: `/api/v1/Connection/${segment('connectionId', connectionId)}`, body }, options)
  }

  /**
   * Delete a connection.
   *
   * Rejected with 409 while an agent uses it.
   *
   * Requires the scope `connection:write`.
   *
   * @returns The connection is deleted. The answer has no body.
   */
  delete(connectionId: string, options: ChangeOptions & DryRunOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'DELETE', path: `/api/v1/Connection/${segment('connectionId', connectionId)}` }, options)
  }

  /**
   * Create or replace a connection by its external id.
   *
   * Answers 201 if it created the connection, 200 if it replaced it. Safe to call concurrently: there is one
   * connection per external id. Fields that are left out get their defaults. The key stays if it is left out,
   * unless the address changes.
   *
   * Requires the scope `connection:write`.
   *
   * @returns The stored connection.
   */
  upsert(
    externalId: string,
    body: ConnectionUpsert,
    options: ChangeOptions & DryRunOptions = {},
  ): ApiPromise<Connection> {
    return this.#http.json({ method: 'PUT', path: `/api/v1/Connection/external/${segment('externalId', externalId)}`, body }, options)
  }

  /**
   * Test a connection.
   *
   * Calls the provider with the stored key and reports what is wrong.
   *
   * Requires the scope `connection:write`.
   *
   * @returns The provider's answer.
   */
  test(connectionId: string, options: RequestOptions = {}): ApiPromise<ConnectionTest> {
    return this.#http.json({ method: 'POST', path: `/api/v1/Connection/${segment('connectionId', connectionId)}/test` }, options)
  }
}
