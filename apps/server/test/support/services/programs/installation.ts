import { delimiter } from 'node:path'

/** The location of runnable programs. */
export type Installation = InFolders | InImage

interface InFolders {
  readonly kind: 'folders'
  /** Completes the sentence "PostgreSQL 15.18, …". */
  readonly origin: string
  readonly programs: string
  /** Library folders that the loader needs in addition to the system's own. */
  readonly libraries: readonly string[]
  /** The program's name, if it differs from the usual one. */
  readonly program?: string
  /** The fontconfig file, if the fonts are not in the system's folders. */
  readonly fontConfig?: string
}

interface InImage {
  readonly kind: 'image'
  readonly origin: string
  readonly image: string
}

export interface RunnableCommand {
  readonly command: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

/**
 * Returns the command line and environment that run a program of this installation. `port` is the port that
 * the program will listen on.
 */
export function commandIn(
  installation: Installation,
  command: readonly string[],
  options: { readonly port?: number; readonly account?: string } = {},
): RunnableCommand {
  if (installation.kind === 'folders') {
    const path = [installation.programs, process.env.PATH].join(delimiter)
    const libraries = installation.libraries.join(delimiter)
    const environment = {
      PATH: path,
      ...(libraries && { LD_LIBRARY_PATH: libraries }),
      ...(installation.fontConfig && { FONTCONFIG_FILE: installation.fontConfig }),
    }
    return { command, environment }
  }
  const published =
    options.port === undefined ? [] : ['--publish', `127.0.0.1:${options.port}:${options.port}`]
  const account = options.account === undefined ? [] : ['--user', options.account]
  const [program = '', ...rest] = command
  const container = ['--rm', '--init', '--workdir', '/tmp', '--entrypoint', program, ...published, ...account]
  return { command: ['docker', 'run', ...container, installation.image, ...rest], environment: {} }
}

/**
 * In a container the program must listen on all addresses: Docker does not publish ports of the container's
 * loopback address.
 */
export function listenAddress(installation: Installation): string {
  return installation.kind === 'image' ? '0.0.0.0' : '127.0.0.1'
}
