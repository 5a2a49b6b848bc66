import { randomBytes } from 'node:crypto'
import type { TestProject } from 'vitest/node'
import { dropPostgresDatabases } from './services/postgres-connection.js'
import { startPostgresServer } from './services/postgres-server.js'
import { startRedisServer } from './services/redis-server.js'
import type { TestService } from './services/supervised-service.js'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The superuser's URL of the maintenance database. */
    postgresUrl: string
    /** What the names of all databases of this run start with. */
    postgresPrefix: string
    redisUrl: string
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgresPrefix = `parley_test_${randomBytes(4).toString('hex')}_`
  const [postgres, redis] = await startTogether(usePostgres(postgresPrefix), useRedis())

  project.provide('postgresUrl', postgres.url)
  project.provide('postgresPrefix', postgresPrefix)
  project.provide('redisUrl', redis.url)
  // In watch mode the migrations may have changed since the templates were made.
  project.onTestsRerun(() => dropPostgresDatabases(postgres.url, postgresPrefix))

  return async () => {
    await Promise.all([postgres.stop(), redis.stop()])
  }
}

async function usePostgres(prefix: string): Promise<TestService> {
  const url = process.env.PARLEY_TEST_POSTGRES_URL
  return url ? { url, stop: () => dropPostgresDatabases(url, prefix) } : startPostgresServer()
}

async function useRedis(): Promise<TestService> {
  const url = process.env.PARLEY_TEST_REDIS_URL
  return url ? { url, stop: async () => {} } : startRedisServer()
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
