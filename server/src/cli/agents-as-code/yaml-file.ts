import { readFile, stat } from 'node:fs/promises'
import { type Document, isMap, isNode, isPair, isScalar, LineCounter, parseDocument } from 'yaml'
import { z } from 'zod'
import { fieldErrorsOf, formatPath } from '../../domain/field-path.js'
import type { ValueMistake, ValuePath } from './environment-values.js'
import type { FileMistake } from './file-mistakes.js'

const maxFileBytes = 5 * 1024 * 1024

/** A document as it was written, and where everything stands in it. */
export interface YamlFile {
  readonly path: string
  readonly written: unknown
  /** Says where in the file something is wrong. */
  mistakeAt(mistake: ValueMistake): FileMistake
}

export type YamlOutcome =
  | { readonly ok: true; readonly file: YamlFile }
  | { readonly ok: false; readonly mistakes: readonly FileMistake[] }

export async function readYamlFile(path: string): Promise<YamlOutcome> {
  if ((await stat(path)).size > maxFileBytes)
    return { ok: false, mistakes: [{ ...top(path), message: 'is larger than 5 MiB. Make several of it.' }] }
  const lines = new LineCounter()
  const document = parseDocument(await readFile(path, 'utf8'), { lineCounter: lines, prettyErrors: false })
  if (document.errors.length > 0)
    return {
      ok: false,
      mistakes: document.errors.map(({ message, pos: [offset] }) => {
        const { line, col } = lines.linePos(offset)
        return { file: path, line, column: col, field: '', message: `is not readable as YAML: ${message}` }
      }),
    }
  const mistakeAt = ({ path: place, message }: ValueMistake): FileMistake => ({
    file: path,
    ...positionOf(document, lines, place),
    field: formatPath(place),
    message,
  })
  return { ok: true, file: { path, written: document.toJS() ?? {}, mistakeAt } }
}

const top = (file: string) => ({ file, line: 1, column: 1, field: '' })

/** What a schema found, each with its place. */
export function schemaMistakes({ issues }: z.ZodError): ValueMistake[] {
  const found = issues.flatMap(unfolded)
  const misspelt = new Set(
    found.filter(({ code }) => code === 'unrecognized_keys').map(({ path }) => formatPath(path)),
  )
  // What a field that is written wrongly leaves to wish for is no mistake of its own.
  const told = found.filter(({ code, path }) => code !== 'custom' || !misspelt.has(formatPath(path)))
  return told.flatMap((issue) => {
    const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)))
    return fieldErrorsOf(new z.ZodError([issue])).map(({ message }, index) => {
      const key = issue.code === 'unrecognized_keys' ? issue.keys[index] : undefined
      return { path: key === undefined ? path : [...path, key], message }
    })
  })
}

/** Of what may have several forms, what is wrong with the form that was meant: one whose kind of value it is. */
function unfolded(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union' || ('discriminator' in issue && issue.discriminator)) return [issue]
  const meant = issue.errors.find(
    (branch) => !branch.some(({ code, path }) => code === 'invalid_type' && path.length === 0),
  )
  if (meant === undefined) return [issue]
  return meant.flatMap((inner) => unfolded({ ...inner, path: [...issue.path, ...inner.path] }))
}

/** Where a value begins, or the nearest that holds it where it is missing. */
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

/** A field is where its name stands. */
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
