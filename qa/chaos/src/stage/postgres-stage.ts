import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { childrenOf } from '@parley/stage/processes/process-usage'
import pg from 'pg'
import { type Disk, limitedFileMebibytes } from './disk.js'
import { findPort } from './find-port.js'
import { RestartableServer } from './restartable-server.js'
import type { FoundServers } from './servers.js'

export interface PostgresStage {
  readonly url: string
  start(): Promise<void>
  stop(mode: 'fast' | 'immediate'): Promise<void>
  fillDisk(): void
  freeDisk(): Promise<void>
}

/**
 * Signals that shut PostgreSQL down: `fast` ends connections first, `immediate` drops everything as in a
 * crash.
 */
const signals = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const

/**
 * The data does not outlive the run, so `fsync` is off. Commits still reach the write-ahead log before they
 * are confirmed. An immediate stop therefore loses only unconfirmed transactions.
 */
const settings = {
  fsync: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  max_wal_size: '128MB',
  log_min_messages: 'panic',
}

/** Creates and starts a PostgreSQL server. */
export async function startPostgresStage(
  { postgres, user }: FoundServers,
  disk: Disk,
): Promise<PostgresStage> {
  const port = await findPort()
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const data = `${disk.folder}/data`
  const environment = { ...postgres.environment, LC_ALL: 'C' }
  const segments = disk.kind === 'limit of file sizes' ? [`--wal-segsize=${limitedFileMebibytes}`] : []
  const made = ['--pgdata', data, '--username', 'postgres', '--auth', 'trust', '--encoding', 'UTF8']
  await promisify(execFile)('initdb', [...made, '--locale', 'C.UTF-8', '--no-sync', ...segments], {
    cwd: disk.folder,
    env: environment,
    ...user,
  })
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = new RestartableServer({
    name: 'PostgreSQL',
    command: ['postgres', '-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', disk.folder, ...options],
    folder: disk.folder,
    environment,
    user,
    isReady: () => canQuery(url),
  })
  await server.start()
  const processes = () => (server.isRunning ? [server.pid, ...childrenOf(server.pid)] : [])
  return {
    url,
    start: () => server.start(),
    stop: (mode) => server.stop(signals[mode]),
    fillDisk: () => disk.fill(processes()),
    async freeDisk() {
      disk.free(processes())
      // A server that could not write its log has exited, and a supervisor would restart it.
      await server.start()
    },
  }
}

async function canQuery(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000, query_timeout: 2000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}
