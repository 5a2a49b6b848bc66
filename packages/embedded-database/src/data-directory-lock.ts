import { randomBytes } from 'node:crypto'
import { link, mkdir, readdir, rm } from 'node:fs/promises'
import type { Server } from 'node:net'
import { join } from 'node:path'
import { type LockOwner, listenOnLockSocket, probeLockSocket } from './lock-socket.js'

export { withSocketPath } from './lock-socket.js'

/** Another process, or this one, has the data directory open. */
export class DataDirectoryInUse extends Error {
  override readonly name = 'DataDirectoryInUse'
  readonly dataDir: string
  /** null if the owner did not answer. */
  readonly owner: LockOwner | null

  constructor(dataDir: string, owner: LockOwner | null) {
    const who = owner ? `process ${owner.pid} on host ${owner.host}` : 'another process'
    super(
      `The data directory ${dataDir} is in use by ${who}. Stop that process, or use another data directory. ` +
        'Processes that share their data need PostgreSQL (DATABASE_URL).',
    )
    this.dataDir = dataDir
    this.owner = owner
  }
}

export interface DataDirectoryLock {
  release(): Promise<void>
}

/*
 * `<data directory>/lock/` has sockets whose names are numbers. The process that listens on the highest owns the data directory.
 *
 *   highest is alive ──► rejected
 *   highest is dead, or there is none ──► listen on a socket of another name, link it as highest + 1
 *        ├── the number is taken ──► start again
 *        ├── a higher one appeared ──► remove the own one, start again
 *        └── it is the highest ──► owned, all others are removed
 *
 * Why two processes cannot both own it: a number appears by `link`, which succeeds for one process only, and a process listens
 * on it from then on. The highest number never goes down, because only lower ones are removed, and the owner's number stays
 * after the owner is gone. So a process that makes number n + 1 has seen n dead. A process that slept between looking and
 * linking may reuse a number that was removed in between. Then a higher one exists, and the process yields.
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

/** Returns null if another process was faster. */
async function claim(directory: string, number: number): Promise<Server | null> {
  const newName = `${randomBytes(6).toString('hex')}.new`
  const server = await listenOnLockSocket(directory, newName).catch((cause) =>
    rejectFileSystem(directory, cause),
  )
  try {
    await link(join(directory, newName), join(directory, String(number)))
    if ((await findHighest(directory)) === number) {
      await removeOthers(directory, number)
      return server
    }
    await rm(join(directory, String(number)), { force: true })
  } catch (error) {
    // ENOENT: the winner has removed the socket that was not linked yet.
    if (!hasCode(error, 'EEXIST', 'ENOENT')) {
      await close(server)
      rejectFileSystem(directory, error)
    }
  }
  await close(server)
  return null
}

function rejectFileSystem(directory: string, cause: unknown): never {
  throw new Error(
    `No socket can be created in ${directory} (${cause instanceof Error ? cause.message : cause}). ` +
      'The socket shows other processes that the data directory is in use. ' +
      'Choose a directory on a local file system, for example a volume of the container engine.',
    { cause },
  )
}

/** Reads the directory in one call. Linux changes nothing in such a small directory during the read. */
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

/** Connections are rejected immediately. The number remains, as after a crash. */
function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}

function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.some((code) => code === error.code)
}
