import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseAllDocuments } from 'yaml'

export const top = fileURLToPath(new URL('../../../../../', import.meta.url))

export function readTop(path: string): string {
  return readFileSync(join(top, path), 'utf8')
}

/** Every file below `deploy`, or below one of its folders, as a path from the top. */
export function deployFiles(folder = ''): readonly string[] {
  return readdirSync(join(top, 'deploy', folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(top.length))
    .sort()
}

/** Returns the documents of a YAML file. Throws if a document is invalid or repeats a key. */
export function readYaml(path: string): readonly unknown[] {
  return parseAllDocuments(readTop(path), { uniqueKeys: true, strict: true }).map((document) => {
    if (document.errors.length > 0) throw new Error(`${path}: ${document.errors[0]?.message}`)
    return document.toJS()
  })
}

/** Returns the values at a path of names. `*` matches every entry of a list or object. */
export function valuesAt(tree: unknown, ...path: readonly string[]): readonly unknown[] {
  const [name, ...rest] = path
  if (name === undefined) return tree === undefined ? [] : [tree]
  if (typeof tree !== 'object' || tree === null) return []
  const children: readonly (readonly [string, unknown])[] = Object.entries(tree)
  return children
    .filter(([key]) => name === '*' || key === name)
    .flatMap(([, child]) => valuesAt(child, ...rest))
}

/** Returns the only value there. */
export function valueAt(tree: unknown, ...path: readonly string[]): unknown {
  const [value, ...others] = valuesAt(tree, ...path)
  if (value === undefined || others.length > 0) throw new Error(`not one value at ${path.join('.')}`)
  return value
}

/** Returns the `NAME=value` settings of a file. With `all`, it includes those that are commented out. */
export function readAssignments(path: string, { all = false } = {}): Record<string, string> {
  const form = all ? /^(?:# )?([A-Z][A-Z0-9_]*)=(.*)$/ : /^([A-Z][A-Z0-9_]*)=(.*)$/
  return Object.fromEntries(
    readTop(path)
      .split('\n')
      .flatMap((line) => {
        const [, name, value] = form.exec(line) ?? []
        return name === undefined || value === undefined ? [] : [[name, value]]
      }),
  )
}
