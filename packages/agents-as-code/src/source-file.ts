import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AgentsFile, formatPath } from '@parley/contract'
import { UsageError } from '@parley/terminal'
import { fillIn, findPlainSecrets, type ValueError, type Variables } from './environment-values.js'
import { type FileError, type FoundFile, readYamlFile, schemaErrors, type YamlFile } from './yaml-file.js'

const maxFiles = 2000

/** A file of agents. `written` is the document before variables are filled in, so it may be shown. */
export interface SourceFile extends YamlFile {
  /** The document with variables filled in. */
  readonly content: AgentsFile
}

export type ReadOutcome =
  | { readonly ok: true; readonly file: SourceFile }
  | { readonly ok: false; readonly errors: readonly FileError[] }

/** Returns the named files, and all .yaml and .yml files of the named folders except tests. */
export async function findFiles(paths: readonly string[]): Promise<readonly FoundFile[]> {
  const found = new Map<string, FoundFile>()
  for (const path of paths) {
    const kind = await stat(path).catch(() => null)
    if (kind === null) throw new UsageError(`${path} does not exist. Pass existing files or folders.`)
    if (!kind.isDirectory()) found.set(path, { path, isNamed: true })
    else
      for (const name of await readdir(path, { recursive: true })) {
        const inside = join(path, name)
        if (/\.ya?ml$/.test(name) && !/\.test\.ya?ml$/.test(name) && !found.has(inside))
          found.set(inside, { path: inside, isNamed: false })
      }
  }
  if (found.size === 0) throw new UsageError(`There is no .yaml file in ${paths.join(', ')}.`)
  if (found.size > maxFiles) throw new UsageError(`There are more than ${maxFiles} files.`)
  return [...found.values()].sort((one, other) => (one.path < other.path ? -1 : 1))
}

/** Reads one file. Reports every error with its position. */
export async function readSource(found: FoundFile, variables: Variables): Promise<ReadOutcome> {
  const read = await readYamlFile(found)
  if (!read.ok) return read
  const { written } = read.file
  const filled = fillIn(written, variables)
  const errors = [...findPlainSecrets(written), ...filled.errors]
  // Messages quote values, also those of the service.
  const errorAt = ({ path, message }: ValueError) =>
    read.file.errorAt({ path, message: filled.conceal(message) })
  const parsed = AgentsFile.safeParse(filled.content)
  // A field whose variable is missing has an error already.
  const known = new Set(errors.map((error) => formatPath(error.path)))
  if (!parsed.success)
    errors.push(...schemaErrors(parsed.error).filter((one) => !known.has(formatPath(one.path))))
  if (errors.length > 0 || !parsed.success) return { ok: false, errors: errors.map(errorAt) }
  return { ok: true, file: { path: found.path, content: parsed.data, written, errorAt } }
}
