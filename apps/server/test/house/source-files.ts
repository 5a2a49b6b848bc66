import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export interface SourceFile {
  /** The path relative to the repository root, with forward slashes. */
  readonly path: string
  readonly text: string
}

const top = fileURLToPath(new URL('../../../../', import.meta.url))

export const projectPath = (path: string) => `${top}${path}`

export function readProjectFile(path: string): string {
  return readFileSync(projectPath(path), 'utf8')
}

export function readJson<Shape>(path: string): Shape {
  return JSON.parse(readProjectFile(path)) as Shape
}

export const workspaces = readJson<{ workspaces: string[] }>('package.json').workspaces

/** Returns every source file below these folders. Skips folders that do not exist. */
export function sourceFilesIn(...folders: readonly string[]): SourceFile[] {
  return folders
    .flatMap((folder) => namesIn(folder).map((name) => `${folder}/${name}`))
    .filter((path) => /\.(?:ts|tsx|mjs|js)$/.test(path) && !/\/(?:dist|node_modules)\//.test(path))
    .sort()
    .map((path) => ({ path, text: readProjectFile(path) }))
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(`${top}${folder}`, { recursive: true, encoding: 'utf8' }).map((name) =>
      name.replaceAll('\\', '/'),
    )
  } catch {
    return []
  }
}

/** Returns the code without its comments. */
export function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '$1')
}
