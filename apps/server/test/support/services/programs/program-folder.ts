import { chmod, lstat, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Returns a folder with this name and the content that `fill` writes. It is made once and kept for later
 * runs. It is not in a home directory or in node_modules, because the unprivileged user that runs services
 * under root could not read it there.
 */
export async function keptFolder(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const parent = await ownParent()
  const folder = join(parent, name)
  if (await isThere(folder)) return folder
  const unfinished = await mkdtemp(join(parent, 'unfinished-'))
  try {
    await chmod(unfinished, 0o755)
    await fill(unfinished)
    await rename(unfinished, folder)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    // A concurrent run may have been faster.
    if (!(await isThere(folder))) throw error
  }
  return folder
}

/** The programs in this folder are executed, so no other user may own it or write to it. */
async function ownParent(): Promise<string> {
  const user = process.getuid?.() ?? 0
  const parent = join(tmpdir(), `parley-test-programs-${user}`)
  await mkdir(parent, { recursive: true, mode: 0o755 })
  const found = await lstat(parent)
  if (!found.isDirectory() || found.uid !== user || (found.mode & 0o022) !== 0) {
    throw new Error(`${parent} must be a folder that only this user can write to`)
  }
  return parent
}

function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}
