import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { v7 as uuid } from 'uuid'
import { makeLog } from '#server/adapters/system/log.js'
import { type Config, parseConfig } from '#server/config/config.js'
import type { Clock, Timers } from '#server/ports/time.js'
import { version } from '#server/version.js'
import { compose, type Listening, type Service } from '#server/wiring/service.js'
import { type ApiClient, makeApiClient } from './api-client.js'
import { closeAfterwards } from './close-afterwards.js'
import { makeMigratedDataDir } from './services/embedded-data.js'
import { migratedDatabase } from './services/migrated-database.js'
import { temporaryParent } from './services/temporary-parent.js'

export { migratedDatabase }

export type DatabaseKind = 'embedded' | 'postgres'

const allKinds: readonly DatabaseKind[] = ['embedded', 'postgres']

/** The databases that database-independent tests run on: those in PARLEY_TEST_DATABASES, or all. */
export const databaseKinds: readonly DatabaseKind[] = allKinds.filter(
  (kind) => process.env.PARLEY_TEST_DATABASES?.split(',').includes(kind) ?? true,
)

export interface TestServiceOptions {
  readonly database?: DatabaseKind
  /**
   * Settings in addition to the defaults of tests. If DATABASE_URL or PARLEY_DATA_DIR is set, the test owns
   * that database and `close` leaves it in place.
   */
  readonly env?: Readonly<Record<string, string>>
  readonly clock?: Clock
  readonly timers?: Timers
  readonly pollMilliseconds?: number
}

export interface RunningService {
  readonly url: string
  /** Null with the embedded database. */
  readonly databaseUrl: string | null
  readonly service: Service
  readonly config: Config
  readonly listening: Listening
  readonly instanceId: string
  readonly organizationId: string
  readonly apiKey: string
  /** A client that uses the first organization's first key, or PARLEY_BOOTSTRAP_API_KEY. */
  readonly client: ApiClient
  /** Every log line so far. */
  readonly log: readonly string[]
  close(): Promise<void>
}

/** Starts the real service on a real port with its own database. */
export async function startService({
  database = 'postgres',
  env = {},
  clock,
  timers,
  pollMilliseconds,
}: TestServiceOptions = {}): Promise<RunningService> {
  const dataDir = 'PARLEY_DATA_DIR' in env ? null : await makeDataDir(database)
  const postgres = database === 'postgres' && !('DATABASE_URL' in env) ? await migratedDatabase() : null
  const parsed = parseConfig({
    PORT: '0',
    LOG_LEVEL: 'debug',
    ...(dataDir && { PARLEY_DATA_DIR: dataDir }),
    PARLEY_SECRET: 'a secret for tests that is long enough',
    PARLEY_RATE_LIMIT_PER_MINUTE: '100000',
    PARLEY_DRAIN_SECONDS: '2',
    // Table-driven tests create several webhooks per call.
    PARLEY_ORG_MAX_WEBHOOKS: '1000',
    ...(postgres && { DATABASE_URL: postgres.url }),
    ...env,
  })
  if (!parsed.ok) throw new Error(parsed.errors.join('\n'))
  const log: string[] = []
  const instanceId = uuid()
  const service = await compose(parsed.config, {
    log: makeLog(parsed.config.logLevel, false, {
      destination: { write: (line) => void log.push(line) },
      instance: { instance: instanceId, version },
    }),
    instanceId,
    ...(clock && { clock }),
    ...(timers && { timers }),
    ...(pollMilliseconds && { pollMilliseconds }),
    onFatal: (error) => {
      throw error
    },
  })
  const listening = await service.listen({ host: '127.0.0.1', port: parsed.config.port })
  const { url, firstStart } = listening
  const organizationId = firstStart?.organizationId ?? env.PARLEY_BOOTSTRAP_ORG_ID ?? ''
  const apiKey = firstStart?.apiKey ?? env.PARLEY_BOOTSTRAP_API_KEY ?? ''
  return {
    url,
    databaseUrl: postgres?.url ?? null,
    service,
    config: parsed.config,
    listening,
    instanceId,
    organizationId,
    apiKey,
    client: makeApiClient(url, { organizationId, apiKey }),
    log,
    close: closeAfterwards(async () => {
      await service.close()
      await postgres?.drop()
      if (dataDir) await rm(dataDir, { recursive: true, force: true })
    }),
  }
}

async function makeDataDir(database: DatabaseKind): Promise<string> {
  return database === 'embedded'
    ? makeMigratedDataDir()
    : mkdtemp(join(await temporaryParent(), 'parley-test-'))
}
