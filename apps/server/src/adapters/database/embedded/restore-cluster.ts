import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import { lockDataDirectory } from './data-directory-lock.js'

/**
 * Puts a dumped data directory in place, where there is none and nobody is at work. It appears under its name when it is
 * complete. `prepare` is called first, under the same lock.
 */
export async function restoreCluster(
  dataDir: string,
  archive: ArrayBuffer,
  prepare: () => Promise<void>,
): Promise<void> {
  const path = resolve(dataDir)
  await mkdir(path, { recursive: true, mode: 0o700 })
  const lock = await lockDataDirectory(path)
  try {
    const directory = join(path, 'database')
    if (existsSync(directory))
      throw new Error(
        `${directory} has a database already, which a restore does not overwrite. Move it away, or set PARLEY_DATA_DIR to another directory.`,
      )
    await prepare()
    const partial = join(path, 'database.partial')
    await rm(partial, { recursive: true, force: true })
    await load(partial, archive)
    await rename(partial, directory)
  } finally {
    await lock.release()
  }
}

/** In a thread of its own, which gives back the memory that it takes. */
function load(directory: string, archive: ArrayBuffer): Promise<void> {
  return new Promise((done, fail) => {
    const worker = new Worker(new URL('./restore-worker.js', import.meta.url), {
      workerData: { directory, archive },
      transferList: [archive],
    })
    worker.once('error', fail)
    worker.once('exit', (code) =>
      code === 0 ? done() : fail(new Error('The database of the backup cannot be put together.')),
    )
  })
}
