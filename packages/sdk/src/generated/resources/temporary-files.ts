// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { TemporaryFile } from '../schemas/temporary-file.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { ListPromise } from '../../rest/list-promise.js'
import type { ChangeOptions, RequestOptions } from '../../rest/request-options.js'
import { segment } from '../../rest/request-url.js'
import { type UploadInput, type UploadOptions, uploadFile } from '../../rest/upload-file.js'

export interface ListTemporaryFilesQuery {
  /** How many items to skip. Default: `0`. */
  Offset?: number | undefined
  /** How many items to answer at most. Default: `50`. */
  Limit?: number | undefined
  /** Only files whose name holds this text. */
  Search?: string | undefined
  /** Only files that this conversation was given. */
  ConversationId?: string | undefined
}

export class TemporaryFiles {
  readonly #http: HttpClient

  constructor(http: HttpClient) {
    this.#http = http
  }

  /**
   * List files.
   *
   * Those that are complete and have not expired.
   *
   * Needs the scope `file:read`.
   *
   * @returns One page of the files.
   */
  list(query: ListTemporaryFilesQuery = {}, options: RequestOptions = {}): ListPromise<TemporaryFile> {
    return this.#http.list({ method: 'GET', path: '/api/v1/TemporaryFile', query }, options)
  }

  /**
   * Upload a file.
   *
   * One file in the field `file`. What it is is seen by its contents; a name or declared type that says
   * otherwise is refused with 415. Its text is read before the answer, so it can be given to a question at
   * once. It is removed at `expiresAt`.
   *
   * Needs the scope `file:write`.
   *
   * @returns What is known of the file.
   */
  create(file: UploadInput, options: UploadOptions = {}): ApiPromise<TemporaryFile> {
    return uploadFile(this.#http, { method: 'POST', path: '/api/v1/TemporaryFile' }, file, options)
  }

  /**
   * Read what is known of a file.
   *
   * Needs the scope `file:read`.
   *
   * @returns What is known of the file.
   */
  get(fileId: string, options: RequestOptions = {}): ApiPromise<TemporaryFile> {
    return this.#http.json({ method: 'GET', path: `/api/v1/TemporaryFile/${segment('fileId', fileId)}` }, options)
  }

  /**
   * Delete a file.
   *
   * With its contents, before its time. Conversations that it was given to have it no more.
   *
   * Needs the scope `file:write`.
   *
   * @returns The file is deleted; there is no body.
   */
  delete(fileId: string, options: ChangeOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'DELETE', path: `/api/v1/TemporaryFile/${segment('fileId', fileId)}` }, options)
  }

  /**
   * Download a file.
   *
   * The contents as they were uploaded, byte for byte.
   *
   * Needs the scope `file:read`.
   *
   * @returns The contents, streamed as they are read.
   */
  getContent(fileId: string, options: RequestOptions = {}): ApiPromise<Response> {
    return this.#http.raw({ method: 'GET', path: `/api/v1/TemporaryFile/${segment('fileId', fileId)}/content` }, options)
  }
}
