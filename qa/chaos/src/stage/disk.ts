import { execFileSync } from 'node:child_process'
import { chownSync, mkdirSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

/** How the database's disk is filled on this machine. */
export type DiskKind = 'own file system' | 'limit of file sizes'

/** The disk of the database, with limited space. */
export interface Disk {
  readonly kind: DiskKind
  readonly folder: string
  fill(processIds: readonly number[]): void
  free(processIds: readonly number[]): void
  /** Returns the space to the system. */
  release(): void
}

/** Enough for about 20 minutes of the default load. */
const diskBytes = 2 * 1024 ** 3
const fillAttempts = 50
/**
 * With the limit of file sizes, segments of the write-ahead log have exactly this size, and tables cannot
 * grow beyond it.
 */
export const limitedFileMebibytes = 1

/**
 * Makes a disk that can be filled: a separate file system for root, or a limit on the size of the server's
 * files for other users.
 */
export function makeDisk(parent: string, user: { readonly uid: number; readonly gid: number } | null): Disk {
  const folder = join(parent, 'database')
  mkdirSync(folder)
  const release = mount(folder)
  if (user) chownSync(folder, user.uid, user.gid)
  if (release) return { kind: 'own file system', folder, release, ...resizing(folder) }
  const limits = { fill: limitTo(limitedFileMebibytes), free: limitTo(null) }
  return { kind: 'limit of file sizes', folder, release: () => undefined, ...limits }
}

/** Returns a function that unmounts the folder, or null if this user cannot mount. */
function mount(folder: string): (() => void) | null {
  if (process.getuid?.() !== 0) return null
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskBytes}`, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    return null
  }
  const unmount = () => {
    process.removeListener('exit', unmount)
    // `--lazy` also works while a process has open files there.
    execFileSync('umount', ['--lazy', folder], { stdio: 'ignore' })
  }
  process.once('exit', unmount)
  return unmount
}

/** Fills the file system by shrinking it to its content, and frees it by restoring its size. */
function resizing(folder: string): Pick<Disk, 'fill' | 'free'> {
  const resize = (bytes: number) =>
    execFileSync('mount', ['-o', `remount,size=${bytes}`, folder], { stdio: 'ignore' })
  return {
    fill() {
      for (let attempt = 1; ; attempt += 1)
        try {
          const { blocks, bfree, bsize } = statfsSync(folder)
          return void resize((blocks - bfree) * bsize)
        } catch (error) {
          // Shrinking fails if the server has written since the size was read.
          if (attempt === fillAttempts) throw error
        }
    },
    free: () => resize(diskBytes),
  }
}

function limitTo(mebibytes: number | null) {
  const limit = mebibytes === null ? 'unlimited' : String(mebibytes * 1024 * 1024)
  return (processIds: readonly number[]) => {
    for (const pid of processIds)
      try {
        execFileSync('prlimit', ['--pid', String(pid), `--fsize=${limit}:unlimited`], { stdio: 'ignore' })
      } catch {}
  }
}
