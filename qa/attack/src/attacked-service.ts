import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Part } from '@parley/stage/processes/part'
import { collectGarbage } from '@parley/stage/service/inspector'
import { type ParleyService, startParley } from '@parley/stage/service/parley-service'
import { addOrganization } from '@parley/stage/service/second-organization'
import type { AttackerCommand } from './attacker-process.js'
import type { CanaryCommand } from './canary-process.js'

/** The embedded database or a PostgreSQL database. It is empty, except perhaps for a schema. */
export type AttackedDatabase =
  /** A permanent data directory. Defaults to a temporary one. */
  | { readonly kind: 'embedded'; readonly dataDir?: string }
  | { readonly kind: 'postgres'; readonly url: string }

/** A service with two organizations: one for the attackers and one for the canary. */
export interface AttackedService {
  readonly service: ParleyService
  readonly attackers: Part<AttackerCommand>
  readonly canary: Part<CanaryCommand>
  close(): Promise<void>
}

/** The default limit. The attackers create keys for themselves, as real ones could. */
const requestsPerMinute = '600'

/** The process returns collected memory to the system with a short delay. */
export const collectionMilliseconds = 1500

/** Starts everything and warms up the parts that these attacks need. */
export async function startAttackedService(
  database: AttackedDatabase,
  names: readonly string[],
  scale: number,
): Promise<AttackedService> {
  const given = database.kind === 'embedded' ? database.dataDir : undefined
  const dataDir = given ?? (await mkdtemp(join(tmpdir(), 'parley-attack-')))
  const { service, neighbor } = await startWithNeighbor(database, dataDir)
  const attackers = new Part<AttackerCommand>(new URL('./attacker-process.js', import.meta.url))
  const canary = new Part<CanaryCommand>(new URL('./canary-process.js', import.meta.url))
  const close = async () => {
    await Promise.all([attackers.stop(), canary.stop()])
    await service.stop()
    if (given === undefined) await rm(dataDir, { recursive: true, force: true })
  }
  try {
    const { url, credentials } = service
    await attackers.ask({ command: 'set-up', url, attacker: credentials, neighbor, names, scale })
    await canary.ask({ command: 'start', url, credentials: neighbor })
    // Garbage from startup and warm-up would count as memory in use.
    if (service.inspectorUrl !== null) await collectGarbage(service.inspectorUrl)
    await sleep(collectionMilliseconds)
  } catch (error) {
    await close()
    throw error
  }
  return { service, attackers, canary, close }
}

/** For requesting garbage collection, so that only retained memory is measured. */
const nodeOptions = ['--inspect=127.0.0.1:0']

async function startWithNeighbor(database: AttackedDatabase, dataDir: string) {
  const env = {
    LOG_LEVEL: 'warn',
    PARLEY_RATE_LIMIT_PER_MINUTE: requestsPerMinute,
    ...(database.kind === 'postgres' && {
      DATABASE_URL: database.url,
      PARLEY_SECRET: 'a secret for benches that is long enough',
    }),
  }
  const service = await startParley({ dataDir, env, nodeOptions, isBundled: true })
  const location = database.kind === 'postgres' ? database : { kind: database.kind, dataDir }
  return { service, neighbor: await addOrganization(location) }
}
