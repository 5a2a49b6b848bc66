import type { Logger } from 'pino'
import { makeDatabase } from './adapters/database/database.js'
import { openEmbeddedDatabase } from './adapters/database/embedded/open-embedded-database.js'
import { migrate } from './adapters/database/migrate.js'
import { openPostgres } from './adapters/database/open-postgres.js'
import { makeOutbound } from './adapters/outbound/outbound.js'
import { makeRedisLimiter } from './adapters/redis/rate-limiter.js'
import { makeCipher } from './adapters/system/cipher.js'
import { systemClock } from './adapters/system/clock.js'
import { makePrometheusMetrics } from './adapters/system/prometheus-metrics.js'
import { makeMemoryLimiter } from './adapters/system/rate-limiter.js'
import { startRepeatingTask } from './adapters/system/repeating-task.js'
import { readOrMakeSecret } from './adapters/system/secret-file.js'
import type { Config } from './config.js'
import { makeApiKeys } from './domain/access/api-keys.js'
import { makeAgents } from './domain/agents/agents.js'
import { sealAuditLog } from './domain/audit/seal.js'
import { makeConnections } from './domain/connections/connections.js'
import { ensureEnvironmentConnection } from './domain/first-start/environment-connection.js'
import { ensureFirstStart, type FirstStart } from './domain/first-start/first-start.js'
import { forgetOldAnswers } from './domain/idempotency/answer-once.js'
import { makeTasks } from './domain/tasks/tasks.js'
import { buildApp } from './edge/http/build-app.js'
import type { App, Services } from './edge/http/context.js'
import type { Clock } from './ports/clock.js'
import type { Database } from './ports/database.js'
import { version } from './version.js'

const sealIntervalMilliseconds = 1000
const forgetIntervalMilliseconds = 60 * 60 * 1000

/** The service, put together and ready to listen. */
export interface Service {
  readonly app: App
  readonly database: Database
  /** What the first start made; null on every later one. */
  readonly firstStart: FirstStart | null
  /** Says no to readiness checks from now on; what is under way goes on. */
  drain(): void
  /** Finishes what is under way, for as long as the configuration allows, and lets go of everything. */
  close(): Promise<void>
}

export interface ComposeOptions {
  readonly log: Logger
  readonly clock?: Clock
  /** Called when the service cannot go on. */
  readonly onFatal: (error: Error) => void
}

/** The one place where adapters meet domain and edge. */
export async function compose(
  config: Config,
  { log, clock = systemClock, onFatal }: ComposeOptions,
): Promise<Service> {
  const database = await openDatabase(config, log, onFatal)
  const cipher = makeCipher(config.secret ?? (await readOrMakeSecret(config.database.dataDir)))
  const outbound = makeOutbound({
    allowedPrivateHosts: [...config.allowedPrivateHosts, ...trustedProviderHost(config)],
  })
  const metrics = makePrometheusMetrics()
  const rateLimiter = config.redisUrl
    ? makeRedisLimiter(config.redisUrl, config.rateLimitPerMinute, log)
    : makeMemoryLimiter(config.rateLimitPerMinute)
  const agents = makeAgents({ clock, cipher, outbound, mcpServerNames: Object.keys(config.mcpServers) })
  const connections = makeConnections({ clock, cipher, outbound })

  const firstStart = await ensureFirstStart(
    { database, clock, cipher, agents, connections },
    config.bootstrap,
  )
  if (config.openai) await ensureEnvironmentConnection({ database, clock, cipher }, config.openai)

  const report = (job: string) => (error: unknown) => log.error({ err: error, job }, 'background work failed')
  const sealer = startRepeatingTask(
    async () => metrics.auditRecordsSealed(await sealAuditLog(database)),
    sealIntervalMilliseconds,
    report('seal the audit log'),
  )
  const forgetter = startRepeatingTask(
    async () => void (await forgetOldAnswers(database, clock)),
    forgetIntervalMilliseconds,
    report('forget old idempotency keys'),
  )

  let isDraining = false
  const services: Services = {
    database,
    clock,
    cipher,
    outbound,
    metrics,
    rateLimiter,
    agents,
    connections,
    apiKeys: makeApiKeys({ clock }),
    tasks: makeTasks({ clock }),
    isDraining: () => isDraining,
    wakeSealer: () => sealer.wake(),
  }
  const app = await buildApp(services, { logger: log, trustProxy: config.trustProxy, version })
  const drain = () => {
    isDraining = true
  }

  async function closeAll(): Promise<void> {
    drain()
    await closeWithin(app, config.drainSeconds * 1000)
    await Promise.all([sealer.stop(), forgetter.stop()])
    await Promise.all([rateLimiter.close(), outbound.close()])
    await database.close()
  }

  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= closeAll()
    return closing
  }
  return { app, database, firstStart, drain, close }
}

async function openDatabase(config: Config, log: Logger, onFatal: (error: Error) => void): Promise<Database> {
  if (config.database.kind === 'embedded') {
    const { pool, close } = await openEmbeddedDatabase({ dataDir: config.database.dataDir, onCrash: onFatal })
    await migrate(pool)
    return makeDatabase(pool, close)
  }
  const pool = openPostgres(config.database.url, (error) =>
    log.warn({ reason: error.message }, 'database connection lost'),
  )
  await migrate(pool)
  return makeDatabase(pool, () => pool.end())
}

/** The operator's word is trusted, private or not. */
function trustedProviderHost(config: Config): string[] {
  return config.openai?.baseUrl ? [new URL(config.openai.baseUrl).host] : []
}

/** Waits for requests under way; those that take longer than allowed are cut. */
async function closeWithin(app: App, milliseconds: number): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), milliseconds)
  await app.close()
  clearTimeout(timer)
}
