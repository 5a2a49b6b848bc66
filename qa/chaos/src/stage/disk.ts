import { execFileSync } from 'node:child_process'
import { chownSync, mkdirSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

/** How the database's disk can be made full on this machine. */
export type DiskKind = 'own file system' | 'limit of file sizes'

/** Where the database keeps its files, with an end to its room. */
export interface Disk {
  readonly kind: DiskKind
  readonly folder: string
  fill(processIds: readonly number[]): void
  free(processIds: readonly number[]): void
  /** Gives it back to the system. */
  release(): void
}

/** Room for some twenty minutes of the default load. */
const diskBytes = 2 * 1024 ** 3
const fillAttempts = 50
/** With the limit, files of the write-ahead log are as large as they may be, and tables end there. */
export const limitedFileMebibytes = 1

/** Root has a file system of its own made; whoever is not limits how large the server's files may grow. */
export function makeDisk(parent: string, user: { readonly uid: number; readonly gid: number } | null): Disk {
  const folder = join(parent, 'database')
  mkdirSync(folder)
  const release = mount(folder)
  if (user) chownSync(folder, user.uid, user.gid)
  if (release) return { kind: 'own file system', folder, release, ...resizing(folder) }
  const limits = { fill: limitTo(limitedFileMebibytes), free: limitTo(null) }
  return { kind: 'limit of file sizes', folder, release: () => undefined, ...limits }
}

/** Returns how to undo it; null where this user cannot mount anything. */
function mount(folder: string): (() => void) | null {
  if (process.getuid?.() !== 0) return null
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskBytes}`, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    return null
  }
  const unmount = () => {
    process.removeListener('exit', unmount)
    // Also while somebody still has files open there.
    execFileSync('umount', ['--lazy', folder], { stdio: 'ignore' })
  }
  process.once('exit', unmount)
  return unmount
}

/** A file system that is made as small as what is in it, and as large again as it was. */
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
          // It cannot be smaller than what is in it, and somebody has written meanwhile.
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
      } catch {
        // It has ended meanwhile.
      }
  }
}
