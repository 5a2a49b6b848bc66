import type { Log } from '../../ports/log.js'
import type { SealListener } from './seal.js'

type Head = Parameters<SealListener['moved']>[1]

/**
 * Logs what the sealer finds. Operators can later compare the logged heads with the chain: an attacker who
 * rewrites the database cannot rewrite logs that were shipped elsewhere.
 */
export class SealLog implements SealListener {
  readonly #log: Log
  readonly #moved = new Map<string, Head>()
  readonly #rejected = new Map<string, number>()

  constructor(log: Log) {
    this.#log = log
  }

  moved(organizationId: string, head: Head): void {
    this.#moved.set(organizationId, head)
  }

  rejected(organizationId: string, count: number): void {
    if ((this.#rejected.get(organizationId) ?? 0) === count) return
    if (count === 0) this.#rejected.delete(organizationId)
    else {
      this.#rejected.set(organizationId, count)
      this.#log.error({ organizationId, count }, 'audit records with an invalid signature were not sealed')
    }
  }

  /** Logs the head of each chain that this instance has extended since the last call. */
  writeHeads(): void {
    for (const [organizationId, { sequence, hash }] of this.#moved)
      this.#log.info({ organizationId, sequence, hash }, 'audit head')
    this.#moved.clear()
  }
}
