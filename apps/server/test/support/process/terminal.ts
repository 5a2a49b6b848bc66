import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * Returns a command that runs a shell command line in a new terminal. Throws if this machine has no
 * terminals.
 */
export function inTerminal(commandLine: string): string[] {
  // Every mounted devpts has this file. Other systems have no such file.
  if (process.platform === 'linux' && !existsSync('/dev/pts/ptmx'))
    throw new Error('This test needs a terminal device: /dev/pts is not mounted.')
  if (!(process.env.PATH ?? '').split(delimiter).some((folder) => isExecutable(join(folder, 'script'))))
    throw new Error(
      'This test needs a terminal: the program `script` (Debian package bsdutils) is not installed.',
    )
  return ['script', '-qec', commandLine, '/dev/null']
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
