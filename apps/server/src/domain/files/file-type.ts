import type { TemporaryFileType } from '@parley/contract'
import type { FileKind } from '../../ports/file-store.js'
import type { RecognisedContents } from '../../ports/file-text.js'
import { DomainError } from '../domain-error.js'

/** What contents show of themselves: their signature, or that they are text of some kind. */
export type Contents = RecognisedContents | 'text'

interface KnownType {
  readonly type: TemporaryFileType
  readonly contents: Contents
  readonly noun: string
  readonly extensions: readonly string[]
  /** What else it is called, by those who declare types. */
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

/** What says nothing. Plain text is among it: it stands for a type that was not declared. */
const vagueTypes = ['', 'application/octet-stream', 'binary/octet-stream', 'text/plain']

export const takenTypes = 'text, Markdown, CSV, JSON, HTML, PDF, DOCX, PNG, JPEG, GIF and WebP'

export type TypeDecision =
  | { readonly ok: true; readonly type: TemporaryFileType; readonly kind: FileKind }
  /** Why it is not taken, as a sentence. */
  | { readonly ok: false; readonly refusal: string }

/**
 * What a file is. Its contents say what it can be; its name and declared type may say less, never otherwise. Which kind
 * of text a text is, only they can say.
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
  const liar = claims.find((claim) => claim.contents !== contents)
  if (liar) {
    const by = liar === byName ? 'name' : 'declared type'
    return { ok: false, refusal: `By its ${by} the file is ${liar.noun}, by its contents it is not.` }
  }
  const [claim] = claims
  if (claim) return decided(claim)
  if (!vagueTypes.includes(declaredType) && !(contents === 'text' && declaredType.startsWith('text/')))
    return { ok: false, refusal: `Files of the type ${declaredType} are not taken; ${takenTypes} are.` }
  // A zip that does not claim to be a document is a zip.
  const seen =
    contents === 'zip' ? undefined : knownTypes.find((candidate) => candidate.contents === contents)
  return seen ? decided(seen) : { ok: false, refusal: `Files of this type are not taken; ${takenTypes} are.` }
}

function decided({ type }: KnownType): TypeDecision {
  return { ok: true, type, kind: type.startsWith('image/') ? 'image' : 'text' }
}

/** Refuses a file of a type that is not accepted, or not of the one that it claims. */
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
