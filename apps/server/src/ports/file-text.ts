import type { TemporaryFileType } from '@parley/contract'

/**
 * The file type that the first bytes indicate. A Word document is recognized as a zip file until it is
 * opened.
 */
export type RecognisedContents = 'pdf' | 'zip' | 'png' | 'jpeg' | 'gif' | 'webp'

export interface ReadRequest {
  /** The organization of the file. Organizations are served round-robin. */
  readonly organizationId: string
  readonly contentType: TemporaryFileType
  readonly sizeBytes: number
  readonly content: AsyncIterable<Buffer>
  /** Aborts when the caller no longer needs the text. */
  readonly signal: AbortSignal
  /** Called with a batch of passages. Reading pauses until it resolves. */
  readonly onPassages: (passages: readonly ReadPassage[]) => Promise<void>
}

export interface ReadPassage {
  readonly label: string | null
  readonly content: string
}

export type ReadOutcome =
  | { readonly kind: 'read' }
  /** The contents do not match the content type. */
  | { readonly kind: 'mislabelled'; readonly detail: string }
  /**
   * The contents are corrupt, encrypted or malicious. `detail` completes a sentence about the file, as in
   * "is encrypted".
   */
  | { readonly kind: 'unreadable'; readonly detail: string }
  /** Too many other files are being read. */
  | { readonly kind: 'busy' }

/** Checks while contents arrive that they are text that can be stored. */
export interface TextCheck {
  /** Returns whether everything so far, including this piece, can be the start of a text. */
  accepts(piece: Buffer): boolean
  /** Returns whether the text can end here. */
  acceptsEnd(): boolean
}

/** Extracts text from files. The contents of a file can never crash the service. */
export interface FileText {
  /** Returns the file type by its first bytes, or null if they are text or of no accepted type. */
  recognize(beginning: Buffer): Promise<RecognisedContents | null>
  /** Starts a check. Text is UTF-8 or the encoding of its byte order mark, and contains no NUL. */
  checkText(): TextCheck
  /**
   * Reads a file's text in passages. Rejects if `content` or `onPassages` rejects, and with the signal's
   * reason if it aborts.
   */
  read(request: ReadRequest): Promise<ReadOutcome>
  /** Aborts reads in progress. */
  close(): Promise<void>
}
