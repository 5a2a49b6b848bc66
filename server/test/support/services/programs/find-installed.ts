import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { directoriesWith, searchPath } from '../find-program.js'
import type { Installation } from './installation.js'

/** Programs that somebody installed: in PATH, or in `<versions>/<version>/bin`, the newest version first. */
export function findInstalled(programs: readonly string[], versions?: string) {
  return async (): Promise<Installation | undefined> => {
    const [folder] = await directoriesWith(programs, [...searchPath(), ...(await versionFolders(versions))])
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
