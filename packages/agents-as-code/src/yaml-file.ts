import { constants, type FileHandle, open } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { fieldErrorsOf, formatPath } from '@parley/contract'
import { type Document, isMap, isNode, isPair, isScalar, LineCounter, parseDocument } from 'yaml'
import { z } from 'zod'
import type { ValueError, ValuePath } from './environment-values.js'

/** An error in a file, with the position that editors and people can jump to. */
export interface FileError {
  readonly file: string
  readonly line: number
  readonly column: number
  /** The path in the document, for example `agents.front-desk.tools[0].request.url`. */
  readonly field: string
  /** What is wrong, and what to do. */
  readonly message: string
}

/** The files have errors and cannot be applied. */
export class FileErrors extends Error {
  override readonly name = 'FileErrors'
  readonly code = 'InvalidFiles'
  readonly errors: readonly FileError[]

  readonly lines: readonly string[]

  constructor(errors: readonly FileError[]) {
    const lines = errors.map(describeError)
    super(lines.join('\n'))
    this.errors = errors
    this.lines = lines
  }
}

function describeError({ file, line, column, field, message }: FileError): string {
  return `${file}:${line}:${column}: ${field === '' ? '' : `${field} `}${message}`
}

const maxFileBytes = 5 * 1024 * 1024

/** A document as written, with the position of each value. */
export interface YamlFile {
  readonly path: string
  readonly written: unknown
  /** Adds the position in the file to an error. */
  errorAt(error: ValueError): FileError
}

export type YamlOutcome =
  | { readonly ok: true; readonly file: YamlFile }
  | { readonly ok: false; readonly errors: readonly FileError[] }

/** A file to read. If the command line does not name it, another user may have put it into the folder. */
export interface FoundFile {
  readonly path: string
  readonly isNamed: boolean
}

export async function readYamlFile({ path, isNamed }: FoundFile): Promise<YamlOutcome> {
  const reject = (message: string): YamlOutcome => ({ ok: false, errors: [{ ...top(path), message }] })
  const opened = await readRegularFile(path, isNamed)
  return opened.ok ? readYamlText(opened.text, path) : reject(opened.message)
}

/** Reads a document that is not in a file. Its errors name `path`. */
export function readYamlText(text: string, path: string): YamlOutcome {
  const reject = (message: string): YamlOutcome => ({ ok: false, errors: [{ ...top(path), message }] })
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  if (document.errors.length > 0)
    return {
      ok: false,
      errors: document.errors.map(({ message, pos: [offset] }) => {
        const { line, col } = lines.linePos(offset)
        return { file: path, line, column: col, field: '', message: `is not readable as YAML: ${message}` }
      }),
    }
  const errorAt = ({ path: place, message }: ValueError): FileError => ({
    file: path,
    ...positionOf(document, lines, place),
    field: formatPath(place),
    message,
  })
  try {
    return { ok: true, file: { path, written: document.toJS() ?? {}, errorAt } }
  } catch (error) {
    // `yaml` limits aliases of aliases, which can expand to huge documents.
    return reject(`is not readable as YAML: ${error instanceof Error ? error.message : String(error)}`)
  }
}

type Opened = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly message: string }

/**
 * Reads a regular file of at most 5 MiB. Messages quote lines of a file, so a symbolic link is followed only
 * if the command line names it. Checks the type of the opened file, and never waits for a writer of a pipe.
 */
async function readRegularFile(path: string, followsLink: boolean): Promise<Opened> {
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants
  let file: FileHandle
  try {
    file = await open(path, O_RDONLY | O_NONBLOCK | (followsLink ? 0 : O_NOFOLLOW))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    const message =
      code === 'ELOOP'
        ? 'is a symbolic link. Name it on the command line to follow it.'
        : `cannot be opened (${code}).`
    return { ok: false, message }
  }
  try {
    if (!(await file.stat()).isFile()) return { ok: false, message: 'is not a regular file.' }
    // Reads one byte more than allowed, to detect files that are too large.
    const content = await buffer(file.createReadStream({ end: maxFileBytes, autoClose: false }))
    return content.length > maxFileBytes
      ? { ok: false, message: 'is larger than 5 MiB. Split it into several files.' }
      : { ok: true, text: content.toString('utf8') }
  } finally {
    await file.close()
  }
}

const top = (file: string) => ({ file, line: 1, column: 1, field: '' })

/** Returns the findings of a schema, each with its path. */
export function schemaErrors({ issues }: z.ZodError): ValueError[] {
  const found = issues.flatMap(unfolded)
  const misspelled = new Set(
    found.filter(({ code }) => code === 'unrecognized_keys').map(({ path }) => formatPath(path)),
  )
  // An object with an unknown field may also break custom rules. Only the unknown field is reported.
  const told = found.filter(({ code, path }) => code !== 'custom' || !misspelled.has(formatPath(path)))
  return told.flatMap((issue) => {
    const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)))
    return fieldErrorsOf(new z.ZodError([issue])).map(({ message }, index) => {
      const key = issue.code === 'unrecognized_keys' ? issue.keys[index] : undefined
      return { path: key === undefined ? path : [...path, key], message }
    })
  })
}

/** Returns the issues of the union member that matches the type of the value. */
function unfolded(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union' || ('discriminator' in issue && issue.discriminator)) return [issue]
  const meant = issue.errors.find(
    (branch) => !branch.some(({ code, path }) => code === 'invalid_type' && path.length === 0),
  )
  if (meant === undefined) return [issue]
  return meant.flatMap((inner) => unfolded({ ...inner, path: [...issue.path, ...inner.path] }))
}

/** Returns the position of a value, or of the nearest value around it if it is missing. */
function positionOf(
  document: Document,
  lines: LineCounter,
  path: ValuePath,
): { line: number; column: number } {
  for (let length = path.length; length >= 0; length -= 1) {
    const offset = offsetOf(document, path.slice(0, length))
    if (offset === null) continue
    const { line, col } = lines.linePos(offset)
    return { line: Math.max(line, 1), column: Math.max(col, 1) }
  }
  return { line: 1, column: 1 }
}

/** Returns the offset of a field's name. */
function offsetOf(document: Document, path: ValuePath): number | null {
  const key = path.at(-1)
  const holder = path.length < 2 ? document.contents : document.getIn(path.slice(0, -1), true)
  if (typeof key === 'string' && isMap(holder)) {
    const pair = holder.items.find(
      (item) => isPair(item) && isScalar(item.key) && String(item.key.value) === key,
    )
    if (pair !== undefined && isNode(pair.key)) return pair.key.range?.[0] ?? null
  }
  const node = path.length === 0 ? document.contents : document.getIn(path, true)
  return isNode(node) ? (node.range?.[0] ?? null) : null
}
