// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { TemporaryFile } from '../schemas/temporary-file.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { ListPromise } from '../../rest/list-promise.js'
import type { ChangeOptions, RequestOptions } from '../../rest/request-options.js'
import { segment } from '../../rest/request-url.js'
import { type UploadInput, type UploadOptions, uploadFile } from '../../rest/upload-file.js'

export interface ListTemporaryFilesQuery {
  /** The number of items to skip. Default: `0`. */
  Offset?: number | undefined
  /** The maximum number of items. Default: `50`. */
  Limit?: number | undefined
  /** Only files whose name contains this text. */
  Search?: string | undefined
  /** Only files of this conversation. */
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
   * Files that are complete and have not expired.
   *
   * Requires the scope `file:read`.
   *
   * @returns One page of the files.
   */
  list(query: ListTemporaryFilesQuery = {}, options: RequestOptions = {}): ListPromise<TemporaryFile> {
    return this.#http.list({ method: 'GET', path: '/api/v1/TemporaryFile', query }, options)
  }

  /**
   * Upload a file.
   *
   * One file in the field `file`. Its type is detected from its content. A name or declared type that
   * contradicts it is rejected with 415. The text is extracted before the answer, so that a question can use
   * the file immediately. The file is removed at `expiresAt`.
   *
   * Requires the scope `file:write`.
   *
   * @returns The metadata of the file.
   */
  create(file: UploadInput, options: UploadOptions = {}): ApiPromise<TemporaryFile> {
    return uploadFile(this.#http, { method: 'POST', path: '/api/v1/TemporaryFile' }, file, options)
  }

  /**
   * Read the metadata of a file.
   *
   * Requires the scope `file:read`.
   *
   * @returns The metadata of the file.
   */
  get(fileId: string, options: RequestOptions = {}): ApiPromise<TemporaryFile> {
    return this.#http.json({ method: 'GET', path: `/api/v1/TemporaryFile/${segment('fileId', fileId)}` }, options)
  }

  /**
   * Delete a file.
   *
   * Deletes the content as well. Conversations can no longer use the file.
   *
   * Requires the scope `file:write`.
   *
   * @returns The file is deleted. The answer has no body.
   */
  delete(fileId: string, options: ChangeOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'DELETE', path: `/api/v1/TemporaryFile/${segment('fileId', fileId)}` }, options)
  }

  /**
   * Download a file.
   *
   * The content as it was uploaded, byte for byte.
   *
   * Requires the scope `file:read`.
   *
   * @returns The content, streamed.
   */
  getContent(fileId: string, options: RequestOptions = {}): ApiPromise<Response> {
    return this.#http.raw({ method: 'GET', path: `/api/v1/TemporaryFile/${segment('fileId', fileId)}/content` }, options)
  }
}
