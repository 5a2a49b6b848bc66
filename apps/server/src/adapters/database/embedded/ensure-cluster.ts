import { copyFile, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { postgresMajorVersion } from './cluster-settings.js'

const ownerOnly = 0o700

/**
 * The directory of the database, made when there is none. It appears under its name when it is complete: what a killed
 * process leaves half made has another name and is thrown away.
 */
export async function ensureCluster(dataDir: string, template: string): Promise<string> {
  const directory = join(dataDir, 'database')
  if (await isCluster(directory)) return directory
  const partial = join(dataDir, 'database.partial')
  await rm(partial, { recursive: true, force: true })
  await mkdir(partial, { mode: ownerOnly })
  if (await readOrNull(readdir(template))) await copyDirectory(template, partial)
  else await initialize(partial)
  await rename(partial, directory)
  return directory
}

async function isCluster(directory: string): Promise<boolean> {
  const version = await readOrNull(readFile(join(directory, 'PG_VERSION'), 'utf8'))
  if (version?.trim() === postgresMajorVersion) return true
  if (version !== null)
    throw new Error(
      `The database in ${directory} was made by PostgreSQL ${version.trim()}, and this version of Parley has ${postgresMajorVersion}. ` +
        'Start the version of Parley that made it, or give this one another data directory.',
    )
  const names = await readOrNull(readdir(directory))
  if (names === null || names.length === 0) return false
  throw new Error(
    `${directory} is not empty, but there is no database in it. Move it away, or restore it from a backup.`,
  )
}

/** There are a thousand small files; several at a time, which `fs.cp` does not do, takes half as long. */
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

/** In a thread of its own, which gives back the 600 MB that it takes. */
function initialize(directory: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./initialize-worker.js', import.meta.url), { workerData: directory })
    worker.once('error', reject)
    worker.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`No database could be made in ${directory}.`)),
    )
  })
}

async function readOrNull<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading
  } catch (error) {
    if (isAbsence(error)) return null
    throw error
  }
}

function isAbsence(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
