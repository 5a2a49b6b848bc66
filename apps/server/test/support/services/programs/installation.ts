import { delimiter } from 'node:path'

/** Where programs are that can be run. */
export type Installation = InFolders | InImage

interface InFolders {
  readonly kind: 'folders'
  /** Completes the sentence "PostgreSQL 15.18, …". */
  readonly origin: string
  readonly programs: string
  /** What the loader needs beyond the system's own folders. */
  readonly libraries: readonly string[]
  /** The program to run, where it is not called what it is usually called. */
  readonly program?: string
  /** The file that says where its fonts are, if not in the system's own folders. */
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

/** The command as it is run with this installation's programs. The port is the one that it is going to listen on. */
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

/** Inside a container the loopback address is not the one that its port is published from. */
export function listenAddress(installation: Installation): string {
  return installation.kind === 'image' ? '0.0.0.0' : '127.0.0.1'
}
