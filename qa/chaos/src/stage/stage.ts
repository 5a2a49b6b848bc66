import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Part } from '@parley/stage/processes/part'
import { makeCredentials } from '@parley/stage/service/parley-service'
import type { LoadCommand } from '../load/load-process.js'
import type { OutsideCommand } from '../outside/outside-process.js'
import { type Disk, makeDisk } from './disk.js'
import { findPort } from './find-port.js'
import { Instance } from './instance.js'
import { type PostgresStage, startPostgresStage } from './postgres-stage.js'
import { type RedisStage, startRedisStage } from './redis-stage.js'
import { type RoundRobin, startRoundRobin } from './round-robin.js'
import type { FoundServers } from './servers.js'

/** Short, so that leases often expire. */
export const leaseSeconds = 4
const approvalTimeoutSeconds = 15

/** All running parts: the service, its servers, the provider and tools, and the load. */
export interface Stage {
  readonly postgres: PostgresStage
  readonly redis: RedisStage
  readonly disk: Disk
  readonly instances: readonly [Instance, Instance]
  readonly proxy: RoundRobin
  readonly outside: Part<OutsideCommand>
  readonly outsideUrl: string
  readonly load: Part<LoadCommand>
  readonly credentials: ReturnType<typeof makeCredentials>
  close(): Promise<void>
}

export interface StageOptions {
  /** The folder for the logs of the instances. */
  readonly logFolder: string
  /** The checkout whose build runs. */
  readonly checkout: string
  /** How long an instance may take to shut down. Default: 1. */
  readonly drainSeconds?: number
}

export async function startStage(
  servers: FoundServers,
  { logFolder, checkout, drainSeconds = 1 }: StageOptions,
): Promise<Stage> {
  mkdirSync(logFolder, { recursive: true })
  const folder = mkdtempSync(join(tmpdir(), 'parley-chaos-'))
  // The servers may run as another user.
  chmodSync(folder, 0o755)
  const disk = makeDisk(folder, servers.user)
  const remove = removerOf(folder)
  const postgres = await startPostgresStage(servers, disk)
  const redis = await startRedisStage(servers, folder)
  const outside = new Part<OutsideCommand>(new URL('../outside/outside-process.js', import.meta.url))
  const load = new Part<LoadCommand>(new URL('../load/load-process.js', import.meta.url))
  const outsideUrl = `http://127.0.0.1:${await outside.ask<number>({ command: 'listen' })}`
  const credentials = makeCredentials()
  const env = {
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    PARLEY_SECRET: 'a secret of the bench that is long enough',
    PARLEY_BOOTSTRAP_ORG_ID: credentials.organizationId,
    PARLEY_BOOTSTRAP_API_KEY: credentials.apiKey,
    PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1',
    PARLEY_RATE_LIMIT_PER_MINUTE: '1000000',
    PARLEY_LEASE_SECONDS: String(leaseSeconds),
    PARLEY_REALTIME_APPROVAL_TIMEOUT_SECONDS: String(approvalTimeoutSeconds),
    PARLEY_TASK_RETRY_SECONDS: '1',
    PARLEY_DRAIN_SECONDS: String(drainSeconds),
  }
  const program = join(checkout, 'apps/server/bundle/main.js')
  const makeInstance = async (name: string) =>
    new Instance({ name, port: await findPort(), program, folder: logFolder, env })
  const instances = [await makeInstance('instance-0'), await makeInstance('instance-1')] as const
  for (const instance of instances) {
    instance.start()
    await instance.ready()
  }
  const proxy = await startRoundRobin(instances, await findPort())
  return {
    postgres,
    redis,
    disk,
    instances,
    proxy,
    outside,
    outsideUrl,
    load,
    credentials,
    async close() {
      await load.stop()
      proxy.close()
      await Promise.all(instances.map((instance) => instance.stop()))
      await outside.stop()
      await Promise.all([postgres.stop('fast'), redis.stop('polite')])
      disk.release()
      remove()
    },
  }
}

/** Returns a function that removes the folder. Removes it at process exit at the latest. */
function removerOf(folder: string): () => void {
  const remove = () => {
    process.removeListener('exit', remove)
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    } catch {
      // A process that is about to be killed may still write files. They stay in the system's temporary
      // folder.
    }
  }
  process.once('exit', remove)
  return remove
}
