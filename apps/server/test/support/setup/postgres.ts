import { randomBytes } from 'node:crypto'
import type { TestProject } from 'vitest/node'
import { dropPostgresDatabases } from '../services/postgres-connection.js'
import { startPostgresServer } from '../services/postgres-server.js'
import { findInstallation } from '../services/programs/find-installation.js'
import { wantedPrograms } from '../services/programs/wanted-programs.js'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The URL of the superuser in the maintenance database. */
    postgresUrl: string
    /** The name prefix of all databases of this run. */
    postgresPrefix: string
  }
}

/** The first test project that needs PostgreSQL starts it. The others share the server. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const { vitest } = project
  if (vitest.getProvidedContext().postgresUrl !== undefined) return undefined
  const prefix = `parley_test_${randomBytes(4).toString('hex')}_`
  const { url, stop } = await start(prefix, (line) => vitest.logger.log(line))
  vitest.provide('postgresUrl', url)
  vitest.provide('postgresPrefix', prefix)
  // In watch mode the migrations may have changed since the templates were made.
  project.onTestsRerun(() => dropPostgresDatabases(url, prefix))
  return stop
}

async function start(prefix: string, say: (line: string) => void) {
  const wanted = wantedPrograms.postgres
  const url = process.env[wanted.setting]
  if (url) {
    say(`Tests use ${wanted.title} (set by ${wanted.setting})`)
    return { url, stop: () => dropPostgresDatabases(url, prefix) }
  }
  const { installation, description } = await findInstallation(wanted, say)
  say(`Tests use ${description}`)
  return startPostgresServer(installation)
}
