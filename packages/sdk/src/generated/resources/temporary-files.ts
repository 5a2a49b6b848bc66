// Generated from the contract by `npm run generate`. Do not edit.

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
  /** The maximum number of items to return. Default: `50`. */
  Limit?: number | undefined
  /** Only return files whose name contains this text. */
  Search?: string | undefined
  /** Only return files of this conversation. */
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
   * Returns the files whose upload is complete and which have not expired.
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
   * Uploads one file in the form field `file`. The type is detected from the content. If it does not match the
   * file name or the declared type, the request is rejected with 415. The text is extracted before the
   * response is sent, so that questions can use the file immediately. The file is deleted at `expiresAt`.
   *
   * Requires the scope `file:write`.
   *
   * @returns The metadata of the file.
   */
  create(file: UploadInput, options: UploadOptions = {}): ApiPromise<TemporaryFile> {
    return uploadFile(this.#http, { method: 'POST', path: '/api/v1/TemporaryFile' }, file, options)
  }

  /**
   * Retrieve the metadata of a file.
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
   * Deletes the file and its content. Conversations can no longer use the file.
   *
   * Requires the scope `file:write`.
   *
   * @returns The file was deleted. The response has no body.
   */
  delete(fileId: string, options: ChangeOptions = {}): ApiPromise<void> {
    return this.#http.json({ method: 'DELETE', path: `/api/v1/TemporaryFile/${segment('fileId', fileId)}` }, options)
  }

  /**
   * Download a file.
   *
   * Returns the content of the file exactly as it was uploaded.
   *
   * Requires the scope `file:read`.
   *
   * @returns The content of the file as a stream.
   */
  getContent(fileId: string, options: RequestOptions = {}): ApiPromise<Response> {
    return this.#http.raw({ method: 'GET', path: `/api/v1/TemporaryFile/${segment('fileId', fileId)}/content` }, options)
  }
}
