import { commandIn, type Installation } from './installation.js'
import { runCommand } from './run-command.js'
import { findServiceUser } from './service-user.js'
import type { WantedProgram, Way } from './wanted-programs.js'

export interface FoundProgram {
  readonly installation: Installation
  /** For example "PostgreSQL 15.18 (installed in /usr/lib/postgresql/15/bin)". */
  readonly description: string
}

const slowAfterMs = 3000

/** Returns the first installation whose program runs on this machine. Tries every way to get one. */
export async function findInstallation(
  wanted: WantedProgram,
  say: (line: string) => void,
): Promise<FoundProgram> {
  const slow = setTimeout(() => say(`Getting ${wanted.title} for the tests (only once) …`), slowAfterMs)
  const failures: string[] = []
  try {
    for (const way of wanted.ways) {
      const found = await tryWay(way, wanted, failures)
      if (found) return found
    }
  } finally {
    clearTimeout(slow)
  }
  const tried = failures.length > 0 ? ` (tried: ${failures.join('; ')})` : ''
  throw new Error(`The tests need ${wanted.title}: ${wanted.advice}${tried}.`)
}

async function tryWay(
  way: Way,
  wanted: WantedProgram,
  failures: string[],
): Promise<FoundProgram | undefined> {
  try {
    const installation = await way()
    if (installation === undefined) return undefined
    const version = await readVersion(installation, wanted)
    return { installation, description: `${wanted.title} ${version} (${installation.origin})` }
  } catch (error) {
    failures.push(error instanceof Error ? error.message : String(error))
    return undefined
  }
}

/**
 * The version is queried as the user that runs the server. A program that this user cannot read does not
 * count.
 */
async function readVersion(installation: Installation, wanted: WantedProgram): Promise<string> {
  const program = (installation.kind === 'folders' && installation.program) || wanted.probe
  const { command, environment } = commandIn(installation, [program, wanted.versionArgument ?? '--version'])
  const printed = await runCommand(command, {
    timeoutSeconds: 20,
    cwd: '/',
    env: { ...process.env, ...environment },
    ...(wanted.isServer && installation.kind === 'folders' && findServiceUser()),
  }).catch((error: Error) => outputOfExit(error, wanted.versionExitCode))
  return /\d+(?:\.\d+)+/.exec(printed)?.[0] ?? 'of an unknown version'
}

/** Returns the output of a program that ended with the expected exit code. Throws the error otherwise. */
function outputOfExit(error: Error, code: number | undefined): string {
  const { cause } = error as { cause?: { code?: unknown; stdout?: string } }
  if (code === undefined || cause?.code !== code) throw error
  return cause.stdout ?? ''
}
