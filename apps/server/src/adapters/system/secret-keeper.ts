import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { ChainKeys, Cipher, SecretKeeper } from '../../ports/secrets.js'
import { makeChainKeys } from './chain-keys.js'
import { makeCipher } from './cipher.js'

export interface SecretSettings {
  /** The operator's secret, or null if Parley stores its own in the data directory. */
  readonly secret: string | null
  readonly previousSecret: string | null
  readonly dataDir: string
}

export interface OpenedSecrets {
  readonly cipher: Cipher
  readonly chainKeys: ChainKeys
  readonly secrets: SecretKeeper
}

export function openSecrets({ secret, previousSecret, dataDir }: SecretSettings): Promise<OpenedSecrets> {
  return secret === null ? openOwnSecret(dataDir) : Promise.resolve(openSetting(secret, previousSecret))
}

/** Like `openSecrets`, but throws if there is no secret, and never creates one. */
export async function openKnownSecrets(settings: SecretSettings): Promise<OpenedSecrets> {
  const path = join(settings.dataDir, 'secret')
  if (settings.secret === null && (await readIfThere(path)) === null)
    throw new Error(`No secret found in ${resolve(path)}. Set PARLEY_SECRET to the secret of the service.`)
  return openSecrets(settings)
}

function openSetting(secret: string, previousSecret: string | null): OpenedSecrets {
  const others = previousSecret === null ? [] : [previousSecret]
  return {
    cipher: makeCipher(secret, ...others),
    chainKeys: makeChainKeys(secret, ...others),
    secrets: {
      generated: async () => null,
      beginRotation: async () =>
        previousSecret === null
          ? {
              ok: false,
              reason:
                'The secret is set in PARLEY_SECRET, so choose the new one yourself. Set PARLEY_SECRET to it and PARLEY_SECRET_PREVIOUS ' +
                'to the old one, restart the service, and run this again. Then unset PARLEY_SECRET_PREVIOUS.',
            }
          : { ok: true },
      finishRotation: async () => undefined,
    },
  }
}

/**
 * Opens the secret in the data directory. During a rotation, a second file contains the next secret. It
 * exists from before anything is sealed with the next secret until nothing is sealed with the previous one. A
 * crash at any time therefore loses neither.
 */
async function openOwnSecret(dataDir: string): Promise<OpenedSecrets> {
  const [path, nextPath] = [join(dataDir, 'secret'), join(dataDir, 'secret.next')]
  let own = await readOrMakeSecret(dataDir)
  let next = await readIfThere(nextPath)
  const known: readonly [string, ...string[]] = next === null ? [own] : [next, own]
  const [cipher, chainKeys] = [makeCipher(...known), makeChainKeys(...known)]
  return {
    cipher,
    chainKeys,
    secrets: {
      generated: async () => next ?? own,
      async beginRotation() {
        if (next === null) {
          next = randomBytes(32).toString('base64url')
          const file = await open(nextPath, 'wx', 0o600)
          await file.writeFile(next)
          await file.sync()
          await file.close()
          cipher.use(next)
          chainKeys.use(next)
        }
        return { ok: true }
      },
      async finishRotation() {
        await rename(nextPath, path)
        // From now on, backups contain this secret.
        own = next ?? own
        next = null
      },
    },
  }
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

const minimumLength = 32

/** Returns the secret in the data directory. Creates it at the first start, readable only by its owner. */
async function readOrMakeSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, 'secret')
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  try {
    // The file is created exclusively, so that only one of two concurrent first starts succeeds. It is
    // synced, because encrypted secrets depend on it.
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
      `${path} contains no usable secret. Restore it from a backup, or set PARLEY_SECRET to its former value.`,
    )
  return secret
}
