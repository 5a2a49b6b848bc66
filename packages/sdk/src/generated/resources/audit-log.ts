// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { AuditLogHead, AuditLogRecord, AuditLogVerification } from '../schemas/audit-log.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { ListPromise } from '../../rest/list-promise.js'
import type { RequestOptions } from '../../rest/request-options.js'

export interface ListAuditLogQuery {
  /** The number of items to skip. Default: `0`. */
  Offset?: number | undefined
  /** The maximum number of items. Default: `50`. */
  Limit?: number | undefined
  /** Only records at or after this time. */
  From?: string | undefined
  /** Only records before this time. */
  To?: string | undefined
  /** Only records of this action. */
  Action?: string | undefined
  /** Only records of this actor. */
  ActorId?: string | undefined
  /** Only records of this resource type. */
  ResourceType?: string | undefined
}

export interface ExportAuditLogQuery {
  /** The format: ndjson (one JSON object per line) or csv. Default: `"ndjson"`. */
  Format?: 'ndjson' | 'csv' | undefined
  /** Only records at or after this time. */
  From?: string | undefined
  /** Only records before this time. */
  To?: string | undefined
  /** Only records of this action. */
  Action?: string | undefined
  /** Only records of this actor. */
  ActorId?: string | undefined
  /** Only records of this resource type. */
  ResourceType?: string | undefined
}

export interface VerifyAuditLogQuery {
  /** The sequence of a kept head, to check whether the chain still contains it. */
  Sequence?: number | undefined
  /** The hash of that head. Empty if its sequence is 0. */
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
   * Requires the scope `audit:read`.
   *
   * @returns One page of the records.
   */
  list(query: ListAuditLogQuery = {}, options: RequestOptions = {}): ListPromise<AuditLogRecord> {
    return this.#http.list({ method: 'GET', path: '/api/v1/AuditLog', query }, options)
  }

  /**
   * Export audit records.
   *
   * Streams every matching record, oldest first.
   *
   * Requires the scope `audit:read`.
   *
   * @returns The records, streamed as they are read.
   */
  export(query: ExportAuditLogQuery = {}, options: RequestOptions = {}): ApiPromise<Response> {
    return this.#http.raw({ method: 'GET', path: '/api/v1/AuditLog/export', query }, options)
  }

  /**
   * Read the head of the audit log.
   *
   * The end of the chain. Keep it outside of the service. `verify` checks later whether the chain still
   * contains it.
   *
   * Requires the scope `audit:read`.
   *
   * @returns The current head of the chain.
   */
  readHead(options: RequestOptions = {}): ApiPromise<AuditLogHead> {
    return this.#http.json({ method: 'GET', path: '/api/v1/AuditLog/head' }, options)
  }

  /**
   * Verify the audit log.
   *
   * Recomputes the chain of hashes. The result says whether a record was changed or removed, and whether the
   * chain still contains a given head.
   *
   * Requires the scope `audit:read`.
   *
   * @returns The result.
   */
  verify(query: VerifyAuditLogQuery = {}, options: RequestOptions = {}): ApiPromise<AuditLogVerification> {
    return this.#http.json({ method: 'GET', path: '/api/v1/AuditLog/verify', query }, options)
  }
}
