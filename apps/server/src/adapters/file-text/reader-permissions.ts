import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { mayStartThreads } from './reader-messages.js'

/** The libraries of the reader. Apart from our own modules, it may only read these and their dependencies. */
const libraries = ['html-to-text', 'mammoth', 'unpdf', 'yauzl']

const Versions = z.record(z.string(), z.string()).default({})
const PackageFile = z.object({
  dependencies: Versions,
  optionalDependencies: Versions,
  peerDependencies: Versions,
})

let flags: readonly string[] | undefined

/**
 * Returns the permission flags of the reading process. It can only read its own modules. It writes nothing,
 * starts no programs, loads no native code, and opens no connections if Node can forbid that (since 25). A
 * document that exploits one of the libraries therefore finds nothing to steal.
 */
export function processFlags(): readonly string[] {
  flags ??= [
    // Node 20 and 22 warn that permissions are experimental.
    '--no-warnings',
    process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission',
    mayStartThreads,
    ...readablePaths().map((path) => `--allow-fs-read=${path}`),
  ]
  return flags
}

function readablePaths(): string[] {
  const here = dirname(fileURLToPath(import.meta.url))
  const paths = new Set([join(here, '*'), ...packageFilesAbove(dirname(here))])
  for (const name of libraries) addPackage(paths, name, here)
  if (arePackageLookupsRestricted(process.versions.node))
    for (const path of lookupPaths(here)) paths.add(path)
  return [...paths].filter((path) => !isInside(path, paths))
}

/** Adds a package, which may be a symbolic link, and all of its dependencies. */
function addPackage(paths: Set<string>, name: string, from: string): void {
  const found = foldersAbove(from)
    .map((folder) => join(folder, 'node_modules', name))
    .find((folder) => existsSync(join(folder, 'package.json')))
  if (found === undefined) return
  const folder = realpathSync(found)
  const isKnown = paths.has(join(folder, '*'))
  paths.add(join(found, '*')).add(join(folder, '*'))
  if (isKnown) return
  const { dependencies, optionalDependencies, peerDependencies } = PackageFile.parse(
    JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')),
  )
  for (const needed of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }))
    addPackage(paths, needed, folder)
}

/** Returns our package.json, which sets the module type, and the paths where Node looks for it first. */
function packageFilesAbove(folder: string): string[] {
  const files = foldersAbove(folder).map((each) => join(each, 'package.json'))
  return files.slice(0, files.findIndex((file) => existsSync(file)) + 1)
}

/** Before 20.20 and 22.12, Node finds no package in a folder that it may not read completely. */
function arePackageLookupsRestricted(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return (major === 20 && minor < 20) || (major === 22 && minor < 12)
}

/** Returns the folders in which packages are looked up, up to the one that contains them. */
function lookupPaths(here: string): string[] {
  const folders = foldersAbove(here).map((folder) => join(folder, 'node_modules'))
  const last = Math.max(
    ...libraries.map((name) => folders.findIndex((folder) => existsSync(join(folder, name)))),
  )
  return folders.slice(0, last + 1).map((folder) => join(folder, '*'))
}

/** Returns whether another of the paths already includes it. Node 20 aborts on a duplicate permission. */
function isInside(path: string, paths: ReadonlySet<string>): boolean {
  const [, ...folders] = foldersAbove(path.replace(/.\*$/, ''))
  return folders.some((folder) => paths.has(join(folder, '*')))
}

/** Returns the folder itself first, the root last. */
function foldersAbove(folder: string): string[] {
  const parent = dirname(folder)
  return parent === folder ? [folder] : [folder, ...foldersAbove(parent)]
}
