// Generated from the contract by `npm run generate`. Do not edit.

import type { AuditLogHead, AuditLogRecord, AuditLogVerification } from '../schemas/audit-log.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { ListPromise } from '../../rest/list-promise.js'
import type { RequestOptions } from '../../rest/request-options.js'

export interface ListAuditLogQuery {
  /** The number of items to skip. Default: `0`. */
  Offset?: number | undefined
  /** The maximum number of items to return. Default: `50`. */
  Limit?: number | undefined
  /** Only return records at or after this time. */
  From?: string | undefined
  /** Only return records before this time. */
  To?: string | undefined
  /** Only return records with this action. */
  Action?: string | undefined
  /** Only return records of this actor. */
  ActorId?: string | undefined
  /** Only return records with this resource type. */
  ResourceType?: string | undefined
}

export interface ExportAuditLogQuery {
  /** The export format: `ndjson` (one JSON object per line) or `csv`. Default: `"ndjson"`. */
  Format?: 'ndjson' | 'csv' | undefined
  /** Only return records at or after this time. */
  From?: string | undefined
  /** Only return records before this time. */
  To?: string | undefined
  /** Only return records with this action. */
  Action?: string | undefined
  /** Only return records of this actor. */
  ActorId?: string | undefined
  /** Only return records with this resource type. */
  ResourceType?: string | undefined
}

export interface VerifyAuditLogQuery {
  /** The `sequence` of a stored head, to verify that the chain still contains it. */
  Sequence?: number | undefined
  /** The `hash` of the stored head. Empty if its sequence is 0. */
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
   * @returns One page of the audit records.
   */
  list(query: ListAuditLogQuery = {}, options: RequestOptions = {}): ListPromise<AuditLogRecord> {
    return this.#http.list({ method: 'GET', path: '/api/v1/AuditLog', query }, options)
  }

  /**
   * Export audit records.
   *
   * Streams all matching records, oldest first.
   *
   * Requires the scope `audit:read`.
   *
   * @returns The audit records as a stream.
   */
  export(query: ExportAuditLogQuery = {}, options: RequestOptions = {}): ApiPromise<Response> {
    return this.#http.raw({ method: 'GET', path: '/api/v1/AuditLog/export', query }, options)
  }

  /**
   * Retrieve the head of the audit log.
   *
   * Returns the end of the hash chain. Store it outside of the service, so that you can verify later that the
   * chain still contains it.
   *
   * Requires the scope `audit:read`.
   *
   * @returns The current head of the hash chain.
   */
  readHead(options: RequestOptions = {}): ApiPromise<AuditLogHead> {
    return this.#http.json({ method: 'GET', path: '/api/v1/AuditLog/head' }, options)
  }

  /**
   * Verify the audit log.
   *
   * Recomputes the hash chain. The result states whether records were changed or removed, and whether the
   * chain still contains a given head.
   *
   * Requires the scope `audit:read`.
   *
   * @returns The result of the verification.
   */
  verify(query: VerifyAuditLogQuery = {}, options: RequestOptions = {}): ApiPromise<AuditLogVerification> {
    return this.#http.json({ method: 'GET', path: '/api/v1/AuditLog/verify', query }, options)
  }
}
