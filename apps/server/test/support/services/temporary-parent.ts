import { access, constants, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'

const memoryDirectory = '/dev/shm'
/** Space for several hundred cloned databases. Containers often have only 64 MiB there. */
const sufficientBytes = 2 * 1024 ** 3

/**
 * The parent of the services' directories: in memory if there is enough space. A PostgreSQL database has
 * about 300 small files, and creating them on disk takes ten times as long.
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
