import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const program = fileURLToPath(new URL('../../../../scripts/find-servers.mjs', import.meta.url))

interface FoundServer {
  /** "PostgreSQL 15.19 (installed in …)" */
  readonly description: string
  /** The environment for its programs. */
  readonly environment: Readonly<Record<string, string>>
}

export interface FoundServers {
  readonly postgres: FoundServer
  readonly redis: FoundServer
  /** The user that the servers run as, or null for the current user. */
  readonly user: { readonly uid: number; readonly gid: number } | null
}

/** Finds the programs of PostgreSQL and Redis in the same way as the tests. */
export async function findServers(): Promise<FoundServers> {
  const { stdout } = await promisify(execFile)(process.execPath, [program])
  return JSON.parse(stdout) as FoundServers
}
