import { makeFileText } from '../adapters/file-text/file-text.js'
import type { Config } from '../config/config.js'
import { type Files, makeFiles } from '../domain/files/files.js'
import type { Limits } from '../domain/limits/organization-limits.js'
import type { Database } from '../ports/database.js'
import type { Log } from '../ports/log.js'
import type { Clock, Timers } from '../ports/time.js'

export interface ComposeFilesOptions {
  readonly config: Config
  readonly database: Database
  readonly clock: Clock
  readonly limits: Limits
  readonly timers: Timers
  readonly log: Log
}

export interface ComposedFiles {
  readonly files: Files
  /** Ends the processes that read files. */
  close(): Promise<void>
}

/** Composes the file store and the text extraction. */
export function composeFiles({ config, ...options }: ComposeFilesOptions): ComposedFiles {
  const fileText = makeFileText(options)
  const { temporaryFileTtlSeconds: ttlSeconds, maxFileBytes } = config
  return {
    files: makeFiles({ ...options, fileText, ttlSeconds, maxFileBytes }),
    close: () => fileText.close(),
  }
}
