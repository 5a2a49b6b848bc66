import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeCredentials, type ParleyService, startParley } from '@parley/stage/service/parley-service'

export interface KilledServiceOptions {
  readonly database:
    | { readonly kind: 'embedded'; readonly dataDir?: string }
    | { readonly kind: 'postgres'; readonly url: string }
  readonly kills: number
  readonly onProgress?: (line: string) => void
}

/** A short lease and no pauses prove the same in a tenth of the time. */
const settings = {
  LOG_LEVEL: 'warn',
  PARLEY_LEASE_SECONDS: '2',
  PARLEY_TASK_RETRY_SECONDS: '0',
  PARLEY_SECRET: 'a secret of the bench that is long enough',
}

/** A service that is killed repeatedly and restarted on the same data. */
export class KilledService {
  readonly #options: KilledServiceOptions
  readonly #start: () => Promise<ParleyService>
  readonly #cleanUp: () => Promise<void>
  #service: ParleyService
  #isDying = false
  #kills = 0

  private constructor(
    options: KilledServiceOptions,
    parts: {
      readonly service: ParleyService
      readonly start: () => Promise<ParleyService>
      readonly cleanUp: () => Promise<void>
    },
  ) {
    this.#options = options
    this.#service = parts.service
    this.#start = parts.start
    this.#cleanUp = parts.cleanUp
  }

  static async start(options: KilledServiceOptions): Promise<KilledService> {
    const { database } = options
    const given = database.kind === 'embedded' ? database.dataDir : undefined
    const dataDir = given ?? (await mkdtemp(join(tmpdir(), 'parley-kill-')))
    const cleanUp = async () => {
      if (given === undefined) await rm(dataDir, { recursive: true, force: true })
    }
    const credentials = makeCredentials()
    const env = { ...settings, ...(database.kind === 'postgres' && { DATABASE_URL: database.url }) }
    const start = () => startParley({ env, dataDir, credentials, isBundled: true })
    return new KilledService(options, { service: await start(), start, cleanUp })
  }

  /** The current process, which may have been killed. */
  get service(): ParleyService {
    return this.#service
  }

  /** Whether the service was killed and has not been restarted. */
  get isDying(): boolean {
    return this.#isDying
  }

  get kills(): number {
    return this.#kills
  }

  kill(): void {
    process.kill(this.#service.pid, 'SIGKILL')
    this.#isDying = true
    this.#kills += 1
    this.#options.onProgress?.(`kill ${this.#kills} of ${this.#options.kills}`)
  }

  /** Restarts the service if it was killed. Returns whether it was. */
  async startAgain(): Promise<boolean> {
    if (!this.#isDying) return false
    while (this.#service.ending() === null) await sleep(5)
    this.#service = await this.#start()
    this.#isDying = false
    return true
  }

  async stop(): Promise<void> {
    await this.#service.stop()
    await this.#cleanUp()
  }
}
