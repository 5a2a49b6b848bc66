import { makeApiClient } from '../api-client.js'
import type { PostgresDatabase } from '../services/postgres-database.js'
import {
  migratedDatabase,
  type RunningService,
  startService,
  type TestServiceOptions,
} from '../start-service.js'

/** Two instances of the service on one database. One key is valid for both. */
export interface Instances {
  readonly one: RunningService
  readonly other: RunningService
  readonly postgres: PostgresDatabase
  close(): Promise<void>
}

const reachable = { PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' }

export async function startInstances(): Promise<Instances> {
  const postgres = await migratedDatabase()
  const one = await startService({ env: { ...reachable, DATABASE_URL: postgres.url } })
  const other = await joinInstance(one, postgres.url)
  return {
    one,
    other,
    postgres,
    async close() {
      await Promise.all([one.close(), other.close()])
      await postgres.drop()
    },
  }
}

/** Starts one more instance on the database of another. */
export async function joinInstance(
  { organizationId, apiKey }: Pick<RunningService, 'organizationId' | 'apiKey'>,
  databaseUrl: string,
  { env, ...options }: TestServiceOptions = {},
): Promise<RunningService> {
  const joined = await startService({ ...options, env: { ...reachable, DATABASE_URL: databaseUrl, ...env } })
  const client = makeApiClient(joined.url, { organizationId, apiKey })
  return { ...joined, organizationId, apiKey, client }
}
