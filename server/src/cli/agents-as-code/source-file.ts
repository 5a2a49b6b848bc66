import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AgentsFile } from '@parley/contract'
import { type Document, isMap, isNode, isPair, isScalar, LineCounter, parseDocument } from 'yaml'
import { z } from 'zod'
import { fieldErrorsOf, formatPath } from '../../domain/field-path.js'
import { UsageMistake } from '../failure.js'
import {
  type Environment,
  fillIn,
  findPlainSecrets,
  type ValueMistake,
  type ValuePath,
} from './environment-values.js'
import type { FileMistake } from './file-mistakes.js'

const maxFileBytes = 5 * 1024 * 1024
const maxFiles = 2000

/** A file of agents, as it was written and as it is meant. */
export interface SourceFile {
  readonly path: string
  /** With what the environment has. */
  readonly content: AgentsFile
  /** As it stands there, variables by their names: this is what may be shown. */
  readonly written: unknown
  /** Says where in the file something is wrong. */
  mistakeAt(mistake: ValueMistake): FileMistake
}

export type ReadOutcome =
  | { readonly ok: true; readonly file: SourceFile }
  | { readonly ok: false; readonly mistakes: readonly FileMistake[] }

/** The files that are meant: those named, and in folders whatever ends in .yaml or .yml, tests excepted. */
export async function findFiles(paths: readonly string[]): Promise<readonly string[]> {
  const found = new Set<string>()
  for (const path of paths) {
    const kind = await stat(path).catch(() => null)
    if (kind === null) throw new UsageMistake(`${path} is not there. Name files or folders that hold them.`)
    if (!kind.isDirectory()) found.add(path)
    else
      for (const name of await readdir(path, { recursive: true }))
        if (/\.ya?ml$/.test(name) && !/\.test\.ya?ml$/.test(name)) found.add(join(path, name))
  }
  if (found.size === 0) throw new UsageMistake(`There is no .yaml file in ${paths.join(', ')}.`)
  if (found.size > maxFiles) throw new UsageMistake(`These are more than ${maxFiles} files.`)
  return [...found].sort()
}

/** Reads one file, and says of everything in it that is wrong where that is. */
export async function readSource(path: string, environment: Environment): Promise<ReadOutcome> {
  if ((await stat(path)).size > maxFileBytes)
    return { ok: false, mistakes: [{ ...top(path), message: 'is larger than 5 MiB. Make several of it.' }] }
  const lines = new LineCounter()
  const document = parseDocument(await readFile(path, 'utf8'), { lineCounter: lines, prettyErrors: false })
  const mistakeAt = ({ path: place, message }: ValueMistake): FileMistake => ({
    file: path,
    ...positionOf(document, lines, place),
    field: formatPath(place),
    message,
  })
  if (document.errors.length > 0)
    return {
      ok: false,
      mistakes: document.errors.map(({ message, pos: [offset] }) => {
        const { line, col } = lines.linePos(offset)
        return { file: path, line, column: col, field: '', message: `is not readable as YAML: ${message}` }
      }),
    }
  const written: unknown = document.toJS() ?? {}
  const mistakes = findPlainSecrets(written)
  const filled = fillIn(written, environment, mistakes)
  const parsed = AgentsFile.safeParse(filled)
  // What was not filled in is wrong for that reason already.
  const known = new Set(mistakes.map((mistake) => formatPath(mistake.path)))
  if (!parsed.success)
    mistakes.push(...schemaMistakes(parsed.error).filter((one) => !known.has(formatPath(one.path))))
  if (mistakes.length > 0 || !parsed.success) return { ok: false, mistakes: mistakes.map(mistakeAt) }
  return { ok: true, file: { path, content: parsed.data, written, mistakeAt } }
}

const top = (file: string) => ({ file, line: 1, column: 1, field: '' })

function schemaMistakes({ issues }: z.ZodError): ValueMistake[] {
  return issues.flatMap((issue) => {
    const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)))
    return fieldErrorsOf(new z.ZodError([issue])).map(({ message }, index) => {
      const key = issue.code === 'unrecognized_keys' ? issue.keys[index] : undefined
      return { path: key === undefined ? path : [...path, key], message }
    })
  })
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
