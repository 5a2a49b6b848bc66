import type { TemporaryFileType } from '@parley/contract'

/** What the beginning of a file can say by itself. Word documents are zip files until somebody looks inside. */
export type RecognisedContents = 'pdf' | 'zip' | 'png' | 'jpeg' | 'gif' | 'webp'

export interface ReadRequest {
  readonly contentType: TemporaryFileType
  readonly sizeBytes: number
  readonly content: AsyncIterable<Buffer>
  /** Called for some passages at a time; nothing more is read until they are taken. */
  readonly onPassages: (passages: readonly ReadPassage[]) => Promise<void>
}

export interface ReadPassage {
  readonly label: string | null
  readonly content: string
}

export type ReadOutcome =
  | { readonly kind: 'read' }
  /** The contents are not what they claim to be. */
  | { readonly kind: 'mislabelled'; readonly detail: string }
  /** They are broken, locked, or made to hurt; `detail` says what about the file is wrong, as in "is encrypted". */
  | { readonly kind: 'unreadable'; readonly detail: string }
  /** Too many others are being read. */
  | { readonly kind: 'busy' }

/** Looks at contents as they come: are they text that can be stored? */
export interface TextCheck {
  /** Whether all that was seen so far, with this, can be the beginning of a text. */
  accepts(piece: Buffer): boolean
  /** Whether it can end here. */
  acceptsEnd(): boolean
}

/** Makes text out of files. Whatever is in them, the service goes on. */
export interface FileText {
  /** What contents are by their first bytes; null where these are of no kind that is taken, or of text. */
  recognise(beginning: Buffer): Promise<RecognisedContents | null>
  /** Text is UTF-8, or what its byte order mark says, and holds no NUL. */
  checkText(): TextCheck
  /** Reads a file's text in passages. Rejects where `content` or `onPassages` does. */
  read(request: ReadRequest): Promise<ReadOutcome>
  /** Ends what is under way. */
  close(): Promise<void>
}
