import type { TemporaryFileType } from '@parley/contract'
import type { FileKind, FileRecord, Passage } from '../../ports/conversation-stores.js'
import type { Database, Stores } from '../../ports/database.js'
import type { FileText, ReadOutcome, ReadPassage, RecognisedContents } from '../../ports/file-text.js'
import { DomainError, invalidRequest } from '../domain-error.js'
import { storable } from '../storable-text.js'

/**
 * The limits of one insert: 128 passages, or the text of sixteen passages of maximum length. The embedded
 * database runs one statement at a time, so inserts must be short.
 */
const batchLimits = { passages: 128, characters: 16 * 1200 } as const

interface StoreTextDependencies {
  readonly database: Database
  readonly fileText: FileText
}

/** Stores the text of a file whose contents are stored. Returns the number of characters. */
export async function storeText(
  { database, fileText }: StoreTextDependencies,
  record: FileRecord,
  signal: AbortSignal,
): Promise<number> {
  const { organizationId, contentType, sizeBytes } = record
  const { stores } = database.ownedBy({ organizationId, kind: 'file' })
  let [position, characterCount] = [0, 0]

  async function onPassages(passages: readonly ReadPassage[]): Promise<void> {
    for (const few of inBatches(passages)) {
      const batch = few.map(({ label, content }): Passage => {
        const passage = { position, label: label && storable(label), content: storable(content) }
        position += 1
        characterCount += passage.content.length
        return passage
      })
      signal.throwIfAborted()
      await stores.files.addPassages(record.id, batch)
    }
  }

  const content = storedContent(stores, record)
  requireRead(await fileText.read({ organizationId, contentType, sizeBytes, content, signal, onPassages }))
  return characterCount
}

function* inBatches(passages: readonly ReadPassage[]): Generator<readonly ReadPassage[]> {
  let [start, characters] = [0, 0]
  for (const [index, { content }] of passages.entries()) {
    const isFull =
      index - start === batchLimits.passages || characters + content.length > batchLimits.characters
    if (isFull && index > start) {
      yield passages.slice(start, index)
      ;[start, characters] = [index, 0]
    }
    characters += content.length
  }
  if (start < passages.length) yield passages.slice(start)
}

function requireRead(read: ReadOutcome): void {
  switch (read.kind) {
    case 'read':
      return
    case 'mislabelled':
      throw unsupportedType(`The content of the file is ${read.detail}.`)
    case 'unreadable':
      throw invalidRequest([{ path: 'file', message: read.detail }])
    case 'busy':
      throw new DomainError('Unavailable', 'Too many files are being read. Try again in a moment.')
  }
}

/** The size of one row of file contents. */
const blockBytes = 256 * 1024

/**
 * Yields the same bytes in blocks of equal size, except for the last one. All blocks share one buffer, which
 * is valid until the next block is requested. Separate buffers would create as much garbage as the file is
 * large.
 */
export async function* inBlocks(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  const block = Buffer.allocUnsafeSlow(blockBytes)
  let filled = 0
  for await (const piece of content) {
    for (let taken = 0; taken < piece.length; ) {
      const copied = piece.copy(block, filled, taken)
      taken += copied
      filled += copied
      if (filled < blockBytes) continue
      yield block
      filled = 0
    }
  }
  if (filled > 0) yield block.subarray(0, filled)
}

/** Yields the stored contents of a file, one row at a time. */
export async function* storedContent(
  { files }: Stores,
  { id, sizeBytes }: FileRecord,
): AsyncGenerator<Buffer, void> {
  let bytes = 0
  for (let position = 0; bytes < sizeBytes; position += 1) {
    const chunk = await files.chunk(id, position)
    if (chunk === null) throw new Error('The file was deleted while it was read.')
    bytes += chunk.length
    yield chunk
  }
}

/** The type that the signature of the contents indicates, or `text`. */
type Contents = RecognisedContents | 'text'

interface KnownType {
  readonly type: TemporaryFileType
  readonly contents: Contents
  readonly noun: string
  readonly extensions: readonly string[]
  /** Other MIME types that clients send for this type. */
  readonly aliases: readonly string[]
}

const knownTypes: readonly KnownType[] = [
  known('text/plain', 'text', 'text', ['txt', 'text', 'log']),
  known('text/markdown', 'text', 'Markdown', ['md', 'markdown'], ['text/x-markdown']),
  known('text/csv', 'text', 'CSV', ['csv'], ['application/csv', 'text/x-csv']),
  known('application/json', 'text', 'JSON', ['json'], ['text/json']),
  known('text/html', 'text', 'HTML', ['html', 'htm'], ['application/xhtml+xml']),
  known('application/pdf', 'pdf', 'a PDF', ['pdf'], ['application/x-pdf']),
  known('application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'zip', 'a Word document', [
    'docx',
  ]),
  known('image/png', 'png', 'a PNG image', ['png']),
  known('image/jpeg', 'jpeg', 'a JPEG image', ['jpg', 'jpeg'], ['image/jpg', 'image/pjpeg']),
  known('image/gif', 'gif', 'a GIF image', ['gif']),
  known('image/webp', 'webp', 'a WebP image', ['webp']),
]

/**
 * Declared types that say nothing about the contents. Plain text is included, because clients send it for
 * unknown types.
 */
const vagueTypes = ['', 'application/octet-stream', 'binary/octet-stream', 'text/plain']

export const supportedTypes = 'text, Markdown, CSV, JSON, HTML, PDF, DOCX, PNG, JPEG, GIF and WebP'

type TypeDecision =
  | { readonly ok: true; readonly type: TemporaryFileType; readonly kind: FileKind }
  /** The reason for the rejection, as a full sentence. */
  | { readonly ok: false; readonly refusal: string }

/**
 * Returns the type of a file. The contents are decisive: the name and the declared type may be less specific,
 * but must not contradict them. Text formats such as Markdown and CSV can only be distinguished by the name or
 * the declared type.
 */
export function decideType(
  { name, declaredType }: { readonly name: string; readonly declaredType: string },
  contents: Contents,
): TypeDecision {
  const byName = knownTypes.find(({ extensions }) => extensions.includes(extensionOf(name)))
  const byDeclaration = vagueTypes.includes(declaredType)
    ? undefined
    : knownTypes.find(({ type, aliases }) => type === declaredType || aliases.includes(declaredType))
  const claims = [byName, byDeclaration].filter((claim) => claim !== undefined)
  const mismatch = claims.find((claim) => claim.contents !== contents)
  if (mismatch) {
    const by = mismatch === byName ? 'name' : 'declared type'
    return { ok: false, refusal: `The ${by} says that the file is ${mismatch.noun}, but its content is not.` }
  }
  const [claim] = claims
  if (claim) return decided(claim)
  if (!vagueTypes.includes(declaredType) && !(contents === 'text' && declaredType.startsWith('text/')))
    return {
      ok: false,
      refusal: `Files of type ${declaredType} are not supported. Supported types: ${supportedTypes}.`,
    }
  // A zip file is treated as a document only if its name or declared type says so.
  const seen =
    contents === 'zip' ? undefined : knownTypes.find((candidate) => candidate.contents === contents)
  return seen
    ? decided(seen)
    : { ok: false, refusal: `Files of this type are not supported. Supported types: ${supportedTypes}.` }
}

function decided({ type }: KnownType): TypeDecision {
  return { ok: true, type, kind: type.startsWith('image/') ? 'image' : 'text' }
}

/** Returns the error for a file whose type is not accepted or contradicts its declaration. */
export function unsupportedType(detail: string): DomainError {
  return new DomainError('UnsupportedMediaType', detail, { errors: [{ path: 'file', message: detail }] })
}

function extensionOf(name: string): string {
  return /\.([^.]*)$/.exec(name)?.[1]?.toLowerCase() ?? ''
}

function known(
  type: TemporaryFileType,
  contents: Contents,
  noun: string,
  extensions: readonly string[],
  aliases: readonly string[] = [],
): KnownType {
  return { type, contents, noun, extensions, aliases }
}
