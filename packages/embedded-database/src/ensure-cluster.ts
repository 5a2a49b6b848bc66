import { readFileSync } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { postgresMajorVersion } from './cluster-settings.js'
import type { ClusterWorkerData } from './cluster-worker.js'

const ownerOnly = 0o700

/** The ready-made data directory that the build leaves here. See scripts/make-template.mjs. */
export const templateDirectory = fileURLToPath(
  new URL(`./embedded-template-${pgliteVersion()}`, import.meta.url),
)

function pgliteVersion(): string {
  const manifest = new URL('../package.json', import.meta.resolve('@electric-sql/pglite'))
  const { version }: { version: string } = JSON.parse(readFileSync(manifest, 'utf8'))
  return version
}

/**
 * Returns the directory of the database, and creates it if it does not exist. The database is created in `database.partial` and
 * renamed when complete. A leftover partial directory is removed on the next start.
 */
export async function ensureCluster(dataDir: string, template: string): Promise<string> {
  const directory = join(dataDir, 'database')
  if (await isCluster(directory)) return directory
  const partial = join(dataDir, 'database.partial')
  await rm(partial, { recursive: true, force: true })
  await mkdir(partial, { mode: ownerOnly })
  if (await readOrNull(readdir(template))) await copyDirectory(template, partial)
  else await createCluster({ directory: partial, archive: null })
  await rename(partial, directory)
  return directory
}

/** Creates a cluster in a separate thread, so that its 600 MB of memory are freed when the thread ends. */
export function createCluster({ directory, archive }: ClusterWorkerData): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./cluster-worker.js', import.meta.url), {
      workerData: { directory, archive } satisfies ClusterWorkerData,
      transferList: archive === null ? [] : [archive],
    })
    worker.once('error', reject)
    worker.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`The database in ${directory} could not be created.`)),
    )
  })
}

async function isCluster(directory: string): Promise<boolean> {
  const version = await readOrNull(readFile(join(directory, 'PG_VERSION'), 'utf8'))
  if (version?.trim() === postgresMajorVersion) return true
  if (version !== null)
    throw new Error(
      `The database in ${directory} was created by PostgreSQL ${version.trim()}, but this version of Parley needs ${postgresMajorVersion}. ` +
        'Start the version of Parley that created it, or use another data directory.',
    )
  const names = await readOrNull(readdir(directory))
  if (names === null || names.length === 0) return false
  throw new Error(
    `${directory} is not empty, but contains no database. Move it away, or restore it from a backup.`,
  )
}

/** Copies the thousand small files of a template in parallel, which `fs.cp` does not do. That takes half the time. */
async function copyDirectory(from: string, to: string): Promise<void> {
  const entries = await readdir(from, { withFileTypes: true })
  await Promise.all(
    entries.map(async (entry) => {
      const [source, target] = [join(from, entry.name), join(to, entry.name)]
      if (!entry.isDirectory()) return copyFile(source, target)
      await mkdir(target, { mode: ownerOnly })
      await copyDirectory(source, target)
    }),
  )
}

async function readOrNull<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
