import { readdir, stat } from 'node:fs/promises'
import { join, normalize, sep } from 'node:path'
import type { FoundFile } from '@parley/agents-as-code'
import { UsageError } from '@parley/terminal'

const isTestFile = (name: string) => /\.test\.ya?ml$/.test(name)

/**
 * Returns the named files, all .test.yaml files in named folders, and the matches of patterns such as
 * `agents/*.test.yaml`.
 */
export async function findTestFiles(paths: readonly string[]): Promise<readonly FoundFile[]> {
  const found = new Map<string, FoundFile>()
  for (const path of paths)
    for (const file of await filesOf(path)) {
      const isNamed = file === path || found.get(file)?.isNamed === true
      found.set(file, { path: file, isNamed })
    }
  return [...found.values()].sort((one, other) => (one.path < other.path ? -1 : 1))
}

async function filesOf(path: string): Promise<readonly string[]> {
  const kind = await stat(path).catch(() => null)
  if (kind !== null && !kind.isDirectory()) return [path]
  const files = kind === null ? await matching(path) : await below(path, isTestFile)
  if (files.length > 0) return files
  throw new UsageError(
    kind === null
      ? `${path} does not exist. Name files, folders, or a pattern such as 'agents/*.test.yaml'.`
      : `There is no .test.yaml file in ${path}.`,
  )
}

/**
 * Returns the files that match a pattern, for shells that do not expand it. `*` and `?` match within a name,
 * `**` matches folders.
 */
async function matching(pattern: string): Promise<readonly string[]> {
  const parts = normalize(pattern).split(sep)
  const fixed = parts.findIndex((part) => /[*?]/.test(part))
  if (fixed < 0) return []
  const folder = parts.slice(0, fixed).join(sep) || (pattern.startsWith(sep) ? sep : '.')
  const source = parts
    .slice(fixed)
    .map((part) => (part === '**' ? '(?:.*/)?' : `${wildcards(part)}/`))
    .join('')
    .replace(/\/$/, '')
  const expression = new RegExp(`^${source}$`)
  return below(folder, (name) => expression.test(name.split(sep).join('/')))
}

function wildcards(part: string): string {
  return part
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '[^/]*')
    .replaceAll('?', '[^/]')
}

async function below(folder: string, isMeant: (name: string) => boolean): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  return names
    .filter((name) => isMeant(name) && !name.includes('node_modules'))
    .map((name) => join(folder, name))
}
