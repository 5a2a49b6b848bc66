// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { TemporaryFile } from '../schemas/temporary-file.js'
import type { ApiPromise } from '../../rest/api-promise.js'
import type { HttpClient } from '../../rest/http-client.js'
import type { ChangeOptions, RequestOptions } from '../../rest/request-options.js'
import { segment } from '../../rest/request-url.js'
import { type UploadInput, type UploadOptions, uploadFile } from '../../rest/upload-file.js'

export class TemporaryFiles {
  readonly #http: HttpClient

  constructor(http: HttpClient) {
    this.#http = http
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
