import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { restoreCluster } from '@parley/embedded-database'
import { type BackupManifest, readBackup } from '../adapters/backup-file/backup-file.js'

/** Restores a backup into a data directory without a database. No service may be running there. */
export async function restoreBackup(path: string, dataDir: string): Promise<BackupManifest> {
  const { manifest, archive } = await readBackup(path)
  await restoreCluster(dataDir, archive, () => restoreSecret(dataDir, manifest.secret))
  return manifest
}

async function restoreSecret(dataDir: string, secret: string | null): Promise<void> {
  if (secret === null) return
  const path = join(resolve(dataDir), 'secret')
  if (!existsSync(path)) return writeFile(path, secret, { mode: 0o600, flag: 'wx' })
  if ((await readFile(path, 'utf8')).trim() !== secret)
    throw new Error(
      `${path} contains a different secret than the backup. A restore does not overwrite it. Move it to another place, or set PARLEY_DATA_DIR to another directory.`,
    )
}
