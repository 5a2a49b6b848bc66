// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { Connection, ConnectionInput, ConnectionPatch, ConnectionTest, ConnectionUpsert } from '../schemas/connection.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { ListPromise } from '../../rest/list-promise.js'
import type { ChangeOptions, CreateOptions, DryRunOptions, RequestOptions } from '../../rest/request-options.js'
import { segment } from '../../rest/request-url.js'

export interface ListConnectionsQuery {
  /** How many items to skip. Default: `0`. */
  Offset?: number | undefined
  /** How many items to answer at most. Default: `50`. */
  Limit?: number | undefined
  /** Only connections whose name holds this text. */
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
   * Needs the scope `connection:read`.
   *
   * @returns One page of the connections.
   */
  list(query: ListConnectionsQuery = {}, options: RequestOptions = {}): ListPromise<Connection> {
    return this.#http.list({ method: 'GET', path: '/api/v1/Connection', query }, options)
  }

  /**
   * Create a connection.
   *
   * Needs the scope `connection:write`.
   *
   * @returns The connection, as it is stored.
   */
  create(body: ConnectionInput, options: CreateOptions & DryRunOptions = {}): ApiPromise<Connection> {
    return this.#http.json({ method: 'POST', path: '/api/v1/Connection', body, takesIdempotencyKey: true }, options)
  }

  /**
   * Read a connection.
   *
   * Needs the scope `connection:read`.
   *
   * @returns The connection, as it is stored.
   */
  get(connectionId: string, options: RequestOptions = {}): ApiPromise<Connection> {
    return this.#http.json({ method: 'GET', path: `/api/v1/Connection/${segment('connectionId', connectionId)}` }, options)
  }

  /**
   * Replace a connection.
   *
   * Fields left out fall back to their defaults; the key left out stays, unless the address changes.
   *
   * Needs the scope `connection:write`.
   *
   * @returns The connection, as it is stored now.
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
   * A merge patch: fields left out stay, objects are merged, arrays are replaced whole.
   *
   * Needs the scope `connection:write`.
   *
   * @returns The whole connection, as it is stored now.
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
   * Refused with 409 while an agent uses it.
   *
   * Needs the scope `connection:write`.
   *
   * @returns The connection is deleted; there is no body.
   */
  delete(connectionId: string, options: ChangeOptions & DryRunOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'DELETE', path: `/api/v1/Connection/${segment('connectionId', connectionId)}` }, options)
  }

  /**
   * Create or replace a connection by its external id.
   *
   * Answers 201 where it created the connection, 200 where it replaced it. Safe to call at the same time from
   * several places: one connection per external id. Fields left out fall back to their defaults; the key left
   * out stays, unless the address changes.
   *
   * Needs the scope `connection:write`.
   *
   * @returns The connection, as it is stored.
   */
  upsert(
    externalId: string,
    body: ConnectionUpsert,
    options: ChangeOptions & DryRunOptions = {},
  ): ApiPromise<Connection> {
    return this.#http.json({ method: 'PUT', path: `/api/v1/Connection/external/${segment('externalId', externalId)}`, body }, options)
  }

  /**
   * Try a connection.
   *
   * Really calls the provider with the stored key and says what is wrong.
   *
   * Needs the scope `connection:write`.
   *
   * @returns What the provider said.
   */
  test(connectionId: string, options: RequestOptions = {}): ApiPromise<ConnectionTest> {
    return this.#http.json({ method: 'POST', path: `/api/v1/Connection/${segment('connectionId', connectionId)}/test` }, options)
  }
}
