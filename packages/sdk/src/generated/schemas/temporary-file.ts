// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { Page } from '../../rest/page.js'

/** One page of a list of TemporaryFile items. */
export type TemporaryFilePage = Page<TemporaryFile>

/** A file that can be given to a question as context, for a while. */
export interface TemporaryFile {
  /** The resource id (UUID v7). */
  id: string
  /** When it was created (UTC). */
  createdAt: string
  /** When it last changed (UTC). */
  updatedAt: string
  /** The name it was uploaded under. */
  name: string
  /** What it is, by its contents rather than by its name. */
  contentType: string
  /** How long it is. */
  sizeBytes: number
  /** When it is removed (UTC): a day after its upload, unless the deployment says otherwise. */
  expiresAt: string
}
