import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { missingSpeechPackages } from '@parley/engine/optional-package'
import {
  type NewerMigration,
  NewerSchema,
  newerMigrations,
  pendingMigrations,
} from '../adapters/database/migrate.js'
import { PendingMigrations } from '../adapters/database/open-database.js'
import { findSessions, openPostgres } from '../adapters/database/open-postgres.js'
import { isDoorOpen } from '../adapters/operator-door/door-socket.js'
import { type Finding, fine, warning, wrong } from '../cli/finding.js'
import type { Config } from '../config/config.js'
import type { OperatorAccess } from '../domain/operator/operator-act.js'
import { readStatus } from '../domain/operator/status.js'
import { findParley, tryListening } from '../edge/terminal/start-failure.js'

const skewLimitsMilliseconds = { warn: 1000, wrong: 10_000 } as const
const oldestNode = [20, 19] as const

/** Checks everything that a service with this configuration depends on. */
export async function diagnose(config: Config, access: OperatorAccess): Promise<readonly Finding[]> {
  const database = await checkDatabase(config)
  // Skips further checks if the database is unreachable, to avoid a second timeout.
  const isReached = database.every(({ level }) => level === 'ok')
  return [
    checkNode(process.versions.node),
    ...database,
    ...(isReached ? await checkInstallation(config, access) : []),
    await checkRedis(config),
    await checkPort(config),
    checkSpeech(missingSpeechPackages()),
  ]
}

function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isOldEnough = major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])
  return isOldEnough
    ? fine('node', `Node ${version}`)
    : wrong('node', `Node ${version} is too old`, `Install Node ${oldestNode.join('.')} or newer.`)
}

async function checkDatabase({ database }: Config): Promise<Finding[]> {
  if (database.kind === 'embedded') {
    const path = resolve(database.dataDir)
    if (!existsSync(join(path, 'database', 'PG_VERSION')))
      return [warning('database', `there is no database in ${path} yet`, '`parley start` creates it.')]
    const holder = (await isDoorOpen(path)) ? ', held by a running service' : ''
    return [
      fine('database', `embedded, in ${path}${holder}`),
      fine('clock', 'the embedded database uses the clock of this machine'),
    ]
  }
  const sessions = await findSessions(database.url).catch(() => 'kept' as const)
  const pool = openPostgres(database.url, () => undefined, sessions)
  try {
    const before = Date.now()
    const { rows } = await pool.query<{ now: Date; version: string }>(
      "select clock_timestamp() as now, current_setting('server_version') as version",
    )
    const [row] = rows
    const skew = row === undefined ? 0 : row.now.getTime() - (before + Date.now()) / 2
    const [pending, newer] = [await pendingMigrations(pool), await newerMigrations(pool)]
    return [fine('database', `PostgreSQL ${row?.version}`), checkMigrations(pending, newer), checkClock(skew)]
  } catch (error) {
    const todo =
      'Check DATABASE_URL. Check that the server is running and accepts connections from this machine.'
    return [wrong('database', `PostgreSQL cannot be reached: ${messageOf(error)}`, todo)]
  } finally {
    await pool.end()
  }
}

function checkMigrations(pending: readonly string[], newer: readonly NewerMigration[]): Finding {
  if (newer.length > 0)
    return wrong(
      'migrations',
      new NewerSchema(newer).message,
      'See docs/reference/backup-and-upgrade.md, Upgrading.',
    )
  return pending.length === 0
    ? fine('migrations', 'all are applied')
    : warning('migrations', `${pending.length} are pending`, '`parley start` applies them.')
}

/** Checks what an upgrade to this version would encounter. Changes nothing. */
export async function checkUpgrade(config: Config, access: OperatorAccess): Promise<readonly Finding[]> {
  const database = await checkDatabase(config)
  const backup = warning('backup', 'migrations cannot be reverted', 'Take a backup before the upgrade.')
  if (config.database.kind === 'postgres' || database.some(({ level }) => level !== 'ok'))
    return [checkNode(process.versions.node), ...database, backup]
  const embedded = await access.run(readStatus, {}).then(
    () => fine('migrations', 'all are applied'),
    (error: unknown) => describeOpening(error),
  )
  return [checkNode(process.versions.node), ...database, embedded, backup]
}

function describeOpening(error: unknown): Finding {
  if (error instanceof PendingMigrations)
    return warning('migrations', 'some are pending', '`parley start` applies them.')
  if (error instanceof NewerSchema)
    return wrong('migrations', error.message, 'See docs/reference/backup-and-upgrade.md, Upgrading.')
  return wrong('setup', messageOf(error), 'See docs/reference/operations.md.')
}

function checkClock(skewMilliseconds: number): Finding {
  const seconds = (Math.abs(skewMilliseconds) / 1000).toFixed(1)
  const says = `this machine's clock is ${seconds} s ${skewMilliseconds < 0 ? 'ahead of' : 'behind'} the database's`
  const todo =
    "Synchronize both with NTP. The service uses the database's clock, and its log uses this machine's."
  if (Math.abs(skewMilliseconds) >= skewLimitsMilliseconds.wrong) return wrong('clock', says, todo)
  if (Math.abs(skewMilliseconds) >= skewLimitsMilliseconds.warn) return warning('clock', says, todo)
  return fine('clock', `within ${seconds} s of the database's`)
}

/** Runs the checks that need an open database, through the running service if there is one. */
async function checkInstallation(config: Config, access: OperatorAccess): Promise<Finding[]> {
  try {
    const status = await access.run(readStatus, {})
    const migrations = config.database.kind === 'embedded' ? [fine('migrations', 'all are applied')] : []
    if (!status.isSetUp)
      return [warning('setup', 'the installation is not set up yet', '`parley start` sets it up.')]
    if (status.opensSecrets === false) return [describeWrongSecret(config)]
    return [...migrations, fine('secret', 'opens the stored secrets'), checkProvider(status.provider)]
  } catch (error) {
    return [describeOpening(error)]
  }
}

/**
 * The advice depends on where the secret is stored. Only the embedded database has it in the data directory.
 */
function describeWrongSecret({ database, secret }: Config): Finding {
  const check = 'secret'
  const path = join(resolve(database.dataDir), 'secret')
  const says = 'the stored secrets cannot be opened with'
  const wanted = 'the one this database was set up with'
  if (secret === null)
    return wrong(
      check,
      `${says} ${path}`,
      `Restore ${wanted} to this file from your copy, or set PARLEY_SECRET to it.`,
    )
  const instead =
    database.kind === 'postgres'
      ? 'or PARLEY_SECRET_PREVIOUS while you replace it'
      : `or unset it if Parley generated the secret (${path})`
  return wrong(check, `${says} PARLEY_SECRET`, `Set it to ${wanted}, ${instead}.`)
}

type ProviderStatus = Awaited<ReturnType<typeof readStatus.perform>>['provider']

function checkProvider(provider: ProviderStatus): Finding {
  const check = 'provider'
  if (provider === null)
    return warning(
      check,
      'the first organization has no default connection',
      'Set `isDefault` on one of its connections.',
    )
  const { connection, model, ok, detail, missingModels } = provider
  const says = `${connection}${model === null ? '' : `, ${model}`}: ${detail}`
  if (!ok) return wrong(check, says, 'Check its key, its address and the network.')
  if (missingModels.length > 0)
    return warning(check, says, 'Choose another model in PARLEY_CHAT_MODEL, or in the connection.')
  return fine(check, says)
}

async function checkRedis({ redisUrl }: Config): Promise<Finding> {
  if (redisUrl === null) return fine('redis', 'not used (REDIS_URL is unset)')
  const { pingRedis } = await import('../adapters/redis/redis-connection.js')
  const problem = await pingRedis(redisUrl)
  return problem === null
    ? fine('redis', 'answers')
    : wrong('redis', `cannot be reached: ${problem}`, 'Check REDIS_URL. Check that the server is running.')
}

async function checkPort({ database, host, port }: Config): Promise<Finding> {
  const check = 'port'
  if (port === 0) return fine(check, 'a free port is chosen at the start (PORT is 0)')
  const trial = await tryListening({ host, port })
  if (trial.ok && database.kind === 'embedded' && (await isDoorOpen(resolve(database.dataDir))))
    return warning(
      check,
      `${port} on ${host} is free, but a running service holds the data directory`,
      'The service listens on another port. Set PORT to it, and do not start another service.',
    )
  if (trial.ok) return fine(check, `${port} on ${host} is free`)
  if (trial.code === 'EADDRINUSE') {
    const version = await findParley({ host, port })
    return version === null
      ? wrong(
          check,
          `${port} on ${host} is in use by another program`,
          'Stop that program, or choose another PORT.',
        )
      : fine(check, `${port} on ${host} is in use by Parley ${version}`)
  }
  return wrong(check, `cannot listen on ${port} of ${host} (${trial.code})`, 'Choose another HOST or PORT.')
}

const onlyForSpeed = 'sherpa-onnx-node'

function checkSpeech(missing: readonly string[]): Finding {
  const todo = 'npm ci --include=optional installs them.'
  const needed = missing.filter((name) => name !== onlyForSpeed)
  if (needed.length > 0)
    return warning('speech', `the built-in engine has no voice: ${needed.join(', ')} is not installed`, todo)
  if (missing.length > 0) return warning('speech', `speech recognition is slow without ${onlyForSpeed}`, todo)
  return fine('speech', 'the packages are installed')
}

/** An AggregateError has no message of its own. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(messageOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}
