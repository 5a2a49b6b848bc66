import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const program = fileURLToPath(new URL('../../../../scripts/find-servers.mjs', import.meta.url))

interface FoundServer {
  /** "PostgreSQL 15.19 (installed in …)" */
  readonly description: string
  /** What its programs are run with. */
  readonly environment: Readonly<Record<string, string>>
}

export interface FoundServers {
  readonly postgres: FoundServer
  readonly redis: FoundServer
  /** Whom they run as, where that is somebody else. */
  readonly user: { readonly uid: number; readonly gid: number } | null
}

/** The programs of PostgreSQL and Redis, as the tests find them. */
export async function findServers(): Promise<FoundServers> {
  const { stdout } = await promisify(execFile)(process.execPath, [program])
  return JSON.parse(stdout) as FoundServers
}
