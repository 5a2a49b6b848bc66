import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { type BrowserProgram, findBrowserProgram } from './browser/browser-program.js'
import { dropPostgresDatabases } from './services/postgres-connection.js'
import { startPostgresServer } from './services/postgres-server.js'
import { type FoundProgram, findInstallation } from './services/programs/find-installation.js'
import { type WantedProgram, wantedPrograms } from './services/programs/wanted-programs.js'
import { startRedisServer } from './services/redis-server.js'
import type { TestService } from './services/supervised-service.js'
import { temporaryParent } from './services/temporary-parent.js'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The superuser's URL of the maintenance database. */
    postgresUrl: string
    /** What the names of all databases of this run start with. */
    postgresPrefix: string
    redisUrl: string
    browser: BrowserProgram
    /** Gone after the run. */
    runDirectory: string
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const say = (line: string) => project.vitest.logger.log(line)
  const postgresPrefix = `parley_test_${randomBytes(4).toString('hex')}_`
  // One after the other: two that want the system's packages would wait for each other's lock.
  const postgresSource = await findSource(wantedPrograms.postgres, say)
  const redisSource = await findSource(wantedPrograms.redis, say)
  const browser = await findBrowserProgram(say)
  const browserText = browser.ok ? browser.description : `no browser. ${browser.problem}`
  say(`Tests run on ${postgresSource.description}, ${redisSource.description} and ${browserText}`)
  const [postgres, redis] = await startTogether(
    usePostgres(postgresSource, postgresPrefix),
    useRedis(redisSource),
  )

  const runDirectory = await mkdtemp(join(await temporaryParent(), 'parley-test-run-'))

  project.provide('runDirectory', runDirectory)
  project.provide('postgresUrl', postgres.url)
  project.provide('postgresPrefix', postgresPrefix)
  project.provide('redisUrl', redis.url)
  project.provide('browser', browser)
  // In watch mode the migrations may have changed since the templates were made.
  project.onTestsRerun(async () => {
    await dropPostgresDatabases(postgres.url, postgresPrefix)
    await rm(join(runDirectory, 'embedded-database'), { recursive: true, force: true })
  })

  return async () => {
    await Promise.all([postgres.stop(), redis.stop(), rm(runDirectory, { recursive: true, force: true })])
  }
}

/** A service that runs already, or the programs to start one with. */
type Source = { readonly url: string; readonly description: string } | FoundProgram

async function findSource(wanted: WantedProgram, say: (line: string) => void): Promise<Source> {
  const url = process.env[wanted.setting]
  return url
    ? { url, description: `${wanted.title} (set by ${wanted.setting})` }
    : findInstallation(wanted, say)
}

async function usePostgres(source: Source, prefix: string): Promise<TestService> {
  if (!('url' in source)) return startPostgresServer(source.installation)
  return { url: source.url, stop: () => dropPostgresDatabases(source.url, prefix) }
}

async function useRedis(source: Source): Promise<TestService> {
  return 'url' in source ? { url: source.url, stop: async () => {} } : startRedisServer(source.installation)
}

/** All or none: when one fails, the others are stopped, and the error says everything that is wrong. */
async function startTogether(
  ...starting: [Promise<TestService>, Promise<TestService>]
): Promise<[TestService, TestService]> {
  try {
    return await Promise.all(starting)
  } catch {
    const outcomes = await Promise.allSettled(starting)
    const reasons: unknown[] = []
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') reasons.push(outcome.reason)
      else await outcome.value.stop()
    }
    throw new Error(reasons.map((reason) => (reason instanceof Error ? reason.message : reason)).join('\n'))
  }
}
