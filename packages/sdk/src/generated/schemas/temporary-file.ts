// Generated from the contract by `npm run generate`. Do not edit.

import type { Page } from '../../rest/page.js'

/** One page of a list of `TemporaryFile` objects. */
export type TemporaryFilePage = Page<TemporaryFile>

/** A file that can be attached to questions as context. It is deleted after a limited time. */
export interface TemporaryFile {
  /** The ID of the resource (UUID v7). */
  id: string
  /** When the resource was created (UTC). */
  createdAt: string
  /** When the resource was last updated (UTC). */
  updatedAt: string
  /** The name of the uploaded file. */
  name: string
  /** The media type, as detected from the content. */
  contentType: string
  /** The size of the file in bytes. */
  sizeBytes: number
  /** When the file is deleted (UTC). By default, 24 hours after the upload. */
  expiresAt: string
}
