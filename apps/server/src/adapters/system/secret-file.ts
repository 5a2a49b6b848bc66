import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'

const minimumLength = 32

/** The secret kept in the data directory, made at the first start. Readable by its owner alone. */
export async function readOrMakeSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, 'secret')
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  try {
    // Made exclusively, so that of two first starts only one decides; synced, since sealed secrets depend on it.
    const file = await open(path, 'wx', 0o600)
    await file.writeFile(randomBytes(32).toString('base64url'))
    await file.sync()
    await file.close()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  const secret = (await readFile(path, 'utf8')).trim()
  if (secret.length < minimumLength)
    throw new Error(
      `${path} holds no usable secret. Restore it from a backup, or set PARLEY_SECRET to what it held.`,
    )
  return secret
}
