import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

/** The directories of PATH, in order. */
export function searchPath(): string[] {
  return (process.env.PATH ?? '').split(delimiter).filter((directory) => directory !== '')
}

/** Returns the directories that contain all of the programs. */
export async function directoriesWith(
  programs: readonly string[],
  directories: readonly string[],
): Promise<string[]> {
  const complete = await Promise.all(
    directories.map(async (directory) => {
      const found = await Promise.all(programs.map((program) => isExecutable(join(directory, program))))
      return found.every(Boolean)
    }),
  )
  return directories.filter((_, index) => complete[index])
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
