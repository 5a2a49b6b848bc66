import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AgentsFile } from '@parley/contract'
import { formatPath } from '../../domain/field-path.js'
import { UsageMistake } from '../failure.js'
import { type Environment, fillIn, findPlainSecrets } from './environment-values.js'
import type { FileMistake } from './file-mistakes.js'
import { readYamlFile, schemaMistakes, type YamlFile } from './yaml-file.js'

const maxFiles = 2000

/** A file of agents, as it was written and as it is meant: `written` has variables by their names, and may be shown. */
export interface SourceFile extends YamlFile {
  /** With what the environment has. */
  readonly content: AgentsFile
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
  const read = await readYamlFile(path)
  if (!read.ok) return read
  const { written, mistakeAt } = read.file
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
