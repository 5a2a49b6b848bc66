// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { AuditLogHead, AuditLogRecord, AuditLogVerification } from '../schemas/audit-log.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { ListPromise } from '../../rest/list-promise.js'
import type { RequestOptions } from '../../rest/request-options.js'

export interface ListAuditLogQuery {
  /** How many items to skip. Default: `0`. */
  Offset?: number | undefined
  /** How many items to answer at most. Default: `50`. */
  Limit?: number | undefined
  /** Only entries at or after this moment. */
  From?: string | undefined
  /** Only entries before this moment. */
  To?: string | undefined
  /** Only entries of this action. */
  Action?: string | undefined
  /** Only entries of this actor. */
  ActorId?: string | undefined
  /** Only entries about this kind of thing. */
  ResourceType?: string | undefined
}

export interface ExportAuditLogQuery {
  /** One JSON object a line, or comma separated values. Default: `"ndjson"`. */
  Format?: 'ndjson' | 'csv' | undefined
  /** Only entries at or after this moment. */
  From?: string | undefined
  /** Only entries before this moment. */
  To?: string | undefined
  /** Only entries of this action. */
  Action?: string | undefined
  /** Only entries of this actor. */
  ActorId?: string | undefined
  /** Only entries about this kind of thing. */
  ResourceType?: string | undefined
}

export interface VerifyAuditLogQuery {
  /** The sequence of a head that you held, to learn whether the chain still contains it. */
  Sequence?: number | undefined
  /** The hash of that head; nothing where its sequence is 0. */
  Hash?: string | undefined
}

export class AuditLog {
  readonly #http: HttpClient

  constructor(http: HttpClient) {
    this.#http = http
  }

  /**
   * List audit records.
   *
   * Needs the scope `audit:read`.
   *
   * @returns One page of the records.
   */
  list(query: ListAuditLogQuery = {}, options: RequestOptions = {}): ListPromise<AuditLogRecord> {
    return this.#http.list({ method: 'GET', path: '/api/v1/AuditLog', query }, options)
  }

  /**
   * Export audit records.
   *
   * Streams every record that matches, oldest first.
   *
   * Needs the scope `audit:read`.
   *
   * @returns The records, streamed as they are read.
   */
  export(query: ExportAuditLogQuery = {}, options: RequestOptions = {}): ApiPromise<Response> {
    return this.#http.raw({ method: 'GET', path: '/api/v1/AuditLog/export', query }, options)
  }

  /**
   * Read the head of the audit log.
   *
   * The end of the chain. Keep it outside of the service: `verify` says later whether the chain still contains
   * it.
   *
   * Needs the scope `audit:read`.
   *
   * @returns The head of the chain, as it is now.
   */
  readHead(options: RequestOptions = {}): ApiPromise<AuditLogHead> {
    return this.#http.json({ method: 'GET', path: '/api/v1/AuditLog/head' }, options)
  }

  /**
   * Check the audit log.
   *
   * Recomputes the chain of hashes and says whether a record was changed or removed, and whether it still
   * contains a head that you held.
   *
   * Needs the scope `audit:read`.
   *
   * @returns What was found.
   */
  verify(query: VerifyAuditLogQuery = {}, options: RequestOptions = {}): ApiPromise<AuditLogVerification> {
    return this.#http.json({ method: 'GET', path: '/api/v1/AuditLog/verify', query }, options)
  }
}
