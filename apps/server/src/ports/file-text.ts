import type { TemporaryFileType } from '@parley/contract'

/** What the first bytes of a file show. Word documents are zip files until they are opened. */
export type RecognisedContents = 'pdf' | 'zip' | 'png' | 'jpeg' | 'gif' | 'webp'

export interface ReadRequest {
  /** Whose file it is: organizations take turns. */
  readonly organizationId: string
  readonly contentType: TemporaryFileType
  readonly sizeBytes: number
  readonly content: AsyncIterable<Buffer>
  /** Aborts when nobody wants the text any more. */
  readonly signal: AbortSignal
  /** Called with some passages at a time; nothing more is read until it resolves. */
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

/** Checks contents as they come: are they text that can be stored? */
export interface TextCheck {
  /** Whether everything so far, with this piece, can be the beginning of a text. */
  accepts(piece: Buffer): boolean
  /** Whether it can end here. */
  acceptsEnd(): boolean
}

/** Makes text out of files. Whatever is in them, the service goes on. */
export interface FileText {
  /** What contents are by their first bytes; null where these are of no kind that is accepted, or of text. */
  recognise(beginning: Buffer): Promise<RecognisedContents | null>
  /** Text is UTF-8, or what its byte order mark says, and holds no NUL. */
  checkText(): TextCheck
  /** Reads a file's text in passages. Rejects where `content` or `onPassages` does, and with the signal's reason. */
  read(request: ReadRequest): Promise<ReadOutcome>
  /** Ends what is under way. */
  close(): Promise<void>
}
