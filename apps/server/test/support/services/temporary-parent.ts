import { access, constants, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'

const memoryDirectory = '/dev/shm'
/** Some hundred cloned databases; containers often have 64 MiB there. */
const sufficientBytes = 2 * 1024 ** 3

/**
 * Where services keep their files: in memory when there is room. A PostgreSQL database is some 300 small files,
 * and creating them on a disk takes ten times as long.
 */
export async function temporaryParent(): Promise<string> {
  try {
    const { bavail, bsize } = await statfs(memoryDirectory)
    await access(memoryDirectory, constants.W_OK)
    return bavail * bsize >= sufficientBytes ? memoryDirectory : tmpdir()
  } catch {
    return tmpdir()
  }
}
