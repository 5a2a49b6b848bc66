import { randomBytes } from 'node:crypto'
import { link, mkdir, readdir, rm } from 'node:fs/promises'
import type { Server } from 'node:net'
import { join } from 'node:path'
import { DataDirectoryInUse } from './data-directory-in-use.js'
import { listenOnLockSocket, probeLockSocket } from './lock-socket.js'

export interface DataDirectoryLock {
  release(): Promise<void>
}

/*
 * `<data directory>/lock/` has sockets whose names are numbers; who listens on the highest has the data directory.
 *
 *   highest is alive ──► refused
 *   highest is dead, or there is none ──► listen on a socket of another name, link it as highest + 1
 *        ├── the number is taken ──► begin again
 *        ├── a higher one appeared ──► take the own one away, begin again
 *        └── it is the highest ──► held; all others are removed
 *
 * Why two cannot both have it: a number appears by `link`, which succeeds for one process only, and is listened on from
 * the moment it appears. The highest number never goes down, since only lower ones are ever removed, and the owner's
 * own stays after it is gone. So whoever makes number n + 1 has seen n dead. A process that slept between looking and
 * linking may find a number free again that was used and removed meanwhile; then a higher one is there, and it yields.
 */
export async function lockDataDirectory(dataDir: string): Promise<DataDirectoryLock> {
  const directory = join(dataDir, 'lock')
  await mkdir(directory, { recursive: true, mode: 0o700 })
  for (;;) {
    const highest = await findHighest(directory)
    if (highest > 0) {
      const probed = await probeLockSocket(directory, String(highest))
      if (probed.state === 'alive') throw new DataDirectoryInUse(dataDir, probed.owner)
      if (probed.state === 'absent') continue
    }
    const server = await claim(directory, highest + 1)
    if (server) return { release: () => close(server) }
  }
}

/** null when another process was faster. */
async function claim(directory: string, number: number): Promise<Server | null> {
  const newName = `${randomBytes(6).toString('hex')}.new`
  const server = await listenOnLockSocket(directory, newName).catch((cause) =>
    refuseFileSystem(directory, cause),
  )
  try {
    await link(join(directory, newName), join(directory, String(number)))
    if ((await findHighest(directory)) === number) {
      await removeOthers(directory, number)
      return server
    }
    await rm(join(directory, String(number)), { force: true })
  } catch (error) {
    // ENOENT: the winner has tidied up, and removed the socket that had not been linked yet.
    if (!hasCode(error, 'EEXIST', 'ENOENT')) {
      await close(server)
      refuseFileSystem(directory, error)
    }
  }
  await close(server)
  return null
}

function refuseFileSystem(directory: string, cause: unknown): never {
  throw new Error(
    `No socket can be made in ${directory}, which is how processes know that the data directory is in use ` +
      `(${cause instanceof Error ? cause.message : cause}). ` +
      'Choose a directory on a local file system, a volume of the container engine for instance.',
    { cause },
  )
}

/** Reads the directory in one go: Linux lets nothing change in it meanwhile, as long as it is this small. */
async function findHighest(directory: string): Promise<number> {
  const names = await readdir(directory)
  return Math.max(0, ...names.filter(isNumber).map(Number))
}

async function removeOthers(directory: string, own: number): Promise<void> {
  const names = await readdir(directory)
  const others = names.filter((name) => !isNumber(name) || Number(name) < own)
  await Promise.all(others.map((name) => rm(join(directory, name), { force: true })))
}

function isNumber(name: string): boolean {
  return /^[1-9]\d*$/.test(name)
}

/** Connections are refused at once; the number stays, as that of a dead process would. */
function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}

function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.some((code) => code === error.code)
}
