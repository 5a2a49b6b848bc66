import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { directoriesWith, searchPath } from '../find-program.js'
import type { Installation } from './installation.js'

interface OtherFolders {
  /** The parent folder of `<version>/bin`. The newest version is used. */
  readonly versions?: string
  readonly folders?: readonly string[]
}

/** Finds installed programs in PATH or in other folders. */
export function findInstalled(programs: readonly string[], elsewhere: OtherFolders = {}) {
  return async (): Promise<Installation | undefined> => {
    const folders = [
      ...searchPath(),
      ...(await versionFolders(elsewhere.versions)),
      ...(elsewhere.folders ?? []),
    ]
    const [folder] = await directoriesWith(programs, folders)
    return folder === undefined
      ? undefined
      : { kind: 'folders', origin: `installed in ${folder}`, programs: folder, libraries: [] }
  }
}

async function versionFolders(versions: string | undefined): Promise<string[]> {
  if (versions === undefined) return []
  const names = await readdir(versions).catch(() => [])
  return names
    .sort((one, other) => Number.parseFloat(other) - Number.parseFloat(one))
    .map((name) => join(versions, name, 'bin'))
}
