// Generated from the contract by `npm run generate`. Do not edit.

import type { Connection, ConnectionInput, ConnectionPatch, ConnectionTest, ConnectionUpsert } from '../schemas/connection.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { ListPromise } from '../../rest/list-promise.js'
import type { ChangeOptions, CreateOptions, DryRunOptions, RequestOptions } from '../../rest/request-options.js'
import { segment } from '../../rest/request-url.js'

export interface ListConnectionsQuery {
  /** The number of items to skip. Default: `0`. */
  Offset?: number | undefined
  /** The maximum number of items to return. Default: `50`. */
  Limit?: number | undefined
  /** Only return connections whose name contains this text. */
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
   * @returns The created connection.
   */
  create(body: ConnectionInput, options: CreateOptions & DryRunOptions = {}): ApiPromise<Connection> {
    return this.#http.json({ method: 'POST', path: '/api/v1/Connection', body, takesIdempotencyKey: true }, options)
  }

  /**
   * Retrieve a connection.
   *
   * Requires the scope `connection:read`.
   *
   * @returns The requested connection.
   */
  get(connectionId: string, options: RequestOptions = {}): ApiPromise<Connection> {
    return this.#http.json({ method: 'GET', path: `/api/v1/Connection/${segment('connectionId', connectionId)}` }, options)
  }

  /**
   * Replace a connection.
   *
   * Omitted fields are set to their defaults. If `apiKey` is omitted, the stored key is kept, unless `baseUrl`
   * changes.
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
   * Update a connection.
   *
   * Applies a JSON merge patch. Omitted fields keep their values, objects are merged, and arrays are replaced
   * as a whole.
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
   * A connection cannot be deleted while an agent uses it (409).
   *
   * Requires the scope `connection:write`.
   *
   * @returns The connection was deleted. The response has no body.
   */
  delete(connectionId: string, options: ChangeOptions & DryRunOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'DELETE', path: `/api/v1/Connection/${segment('connectionId', connectionId)}` }, options)
  }

  /**
   * Create or replace a connection by its external ID.
   *
   * Returns 201 if the connection was created, and 200 if it was replaced. Concurrent requests are safe: there
   * is at most one connection per external ID. Omitted fields are set to their defaults. If `apiKey` is
   * omitted, the stored key is kept, unless `baseUrl` changes.
   *
   * Requires the scope `connection:write`.
   *
   * @returns The created or updated connection.
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
   * Sends a test request to the provider with the stored API key, and returns the result.
   *
   * Requires the scope `connection:write`.
   *
   * @returns The result of the test.
   */
  test(connectionId: string, options: RequestOptions = {}): ApiPromise<ConnectionTest> {
    return this.#http.json({ method: 'POST', path: `/api/v1/Connection/${segment('connectionId', connectionId)}/test` }, options)
  }
}
