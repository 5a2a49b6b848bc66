// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { Page } from '../../rest/page.js'

/** One page of a list of TemporaryFile items. */
export type TemporaryFilePage = Page<TemporaryFile>

/** A file that gives questions context, for a limited time. */
export interface TemporaryFile {
  /** The resource id (UUID v7). */
  id: string
  /** When it was created (UTC). */
  createdAt: string
  /** When it last changed (UTC). */
  updatedAt: string
  /** The name of the uploaded file. */
  name: string
  /** The media type, detected from the content. */
  contentType: string
  /** The size in bytes. */
  sizeBytes: number
  /** When the file is removed (UTC). Default: a day after its upload. */
  expiresAt: string
}
