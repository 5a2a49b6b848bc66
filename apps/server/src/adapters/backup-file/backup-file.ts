import { open, readFile, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createGunzip, createGzip } from 'node:zlib'
import { z } from 'zod'

/*
 * A backup is two lines of text and a compressed archive:
 *
 *   PARLEY BACKUP 1
 *   { "parley": "0.1.0", "createdAt": "…", "secret": "…" | null }
 *   …gzip of the tar archive of the database's files…
 */

const magic = 'PARLEY BACKUP 1\n'
const ownerOnly = 0o600

const Manifest = z.object({
  parley: z.string(),
  createdAt: z.string(),
  /** The secret that Parley generated, or null if the operator set PARLEY_SECRET. */
  secret: z.string().nullable(),
})

export type BackupManifest = z.output<typeof Manifest>

export function backupStream({ parley, createdAt, secret }: BackupManifest, archive: ArrayBuffer): Readable {
  const manifest = { parley, createdAt, secret }
  return Readable.from(pieces())

  async function* pieces(): AsyncGenerator<Buffer> {
    yield Buffer.from(`${magic}${JSON.stringify(manifest)}\n`)
    yield* Readable.from([Buffer.from(archive)]).pipe(createGzip())
  }
}

/** Writes a new backup file that only its owner can read. Never overwrites a file, and removes an incomplete one. */
export async function writeBackup(
  path: string,
  backup: () => Promise<AsyncIterable<Uint8Array>>,
): Promise<number> {
  const file = await open(path, 'wx', ownerOnly).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST'
      ? new Error(`${path} already exists, and a backup never overwrites a file. Choose another name.`)
      : error
  })
  try {
    for await (const chunk of await backup()) await file.writeFile(chunk)
    await file.sync()
    const { size } = await file.stat()
    await file.close()
    return size
  } catch (error) {
    await file.close()
    await rm(path, { force: true })
    throw error
  }
}

export interface ReadBackup {
  readonly manifest: BackupManifest
  readonly archive: ArrayBuffer
}

export async function readBackup(path: string): Promise<ReadBackup> {
  const bytes = await readFile(path)
  const end = bytes.indexOf('\n', magic.length)
  if (bytes.subarray(0, magic.length).toString() !== magic || end < 0)
    throw new Error(`${path} is not a backup written by parley backup.`)
  const manifest = Manifest.parse(JSON.parse(bytes.subarray(magic.length, end).toString('utf8')))
  try {
    const unpacked = await buffer(Readable.from([bytes.subarray(end + 1)]).pipe(createGunzip()))
    const archive = new ArrayBuffer(unpacked.length)
    Buffer.from(archive).set(unpacked)
    return { manifest, archive }
  } catch (cause) {
    throw new Error(`${path} is damaged or truncated and cannot be unpacked.`, { cause })
  }
}
