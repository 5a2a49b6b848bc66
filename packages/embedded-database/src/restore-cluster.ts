import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { lockDataDirectory } from './data-directory-lock.js'
import { createCluster } from './ensure-cluster.js'

/**
 * Puts a dumped data directory in place. Throws if a database is there, or if a process uses the data directory. The
 * database gets its name when it is complete. `prepare` is called first, under the same lock.
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
        `${directory} already has a database. A restore does not overwrite it. Move it away, or set PARLEY_DATA_DIR to another directory.`,
      )
    await prepare()
    const partial = join(path, 'database.partial')
    await rm(partial, { recursive: true, force: true })
    await createCluster({ directory: partial, archive })
    await rename(partial, directory)
  } finally {
    await lock.release()
  }
}
