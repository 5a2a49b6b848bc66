import type { Line } from '@parley/telephone'
import type { Database } from '../../ports/database.js'
import type { PhoneConnectionRecord } from '../../ports/phone-stores.js'
import type { Clock } from '../../ports/time.js'
import { HeldLine, type HeldLineDependencies } from './held-line.js'

export interface SipLinesDependencies extends Omit<HeldLineDependencies, 'changed'> {
  readonly database: Database
  readonly clock: Clock
  readonly instanceId: string
  readonly leaseSeconds: number
  readonly isDraining: () => boolean
}

/** The lines of an instance. Each has a socket. */
const maxLines = 200
/** The lines that an instance claims at once, so that several instances share them. */
const claimsPerPoll = 20

/**
 * The SIP lines that this instance holds. A line is claimed in its row before it is opened, so at most one instance
 * registers it. A draining instance gives up its claims at once. Those of a dead instance are taken over.
 */
export class SipLines {
  readonly #dependencies: SipLinesDependencies
  readonly #held = new Map<string, HeldLine>()
  /** Lines that were replaced or released, and still have calls. */
  readonly #retired = new Set<HeldLine>()

  constructor(dependencies: SipLinesDependencies) {
    this.#dependencies = dependencies
  }

  /** Every instance can hold the lines of every organization. */
  holdsWorkOf(): boolean {
    return true
  }

  /** Returns the line of a phone connection, or null if this instance cannot dial with it. */
  lineOf(connectionId: string): Pick<Line, 'dial'> | null {
    return this.#held.get(connectionId)?.dialer ?? null
  }

  /** The phone connections with which this instance can dial. */
  get dialable(): readonly string[] {
    return [...this.#held].flatMap(([id, line]) => (line.dialer === null ? [] : [id]))
  }

  /** Claims free lines, and opens, replaces and closes lines as their phone connections have changed. */
  async poll(): Promise<void> {
    const { isDraining, database, instanceId, leaseSeconds } = this.#dependencies
    if (isDraining()) return this.release()
    const { phoneConnections } = database.stores
    const limit = Math.min(claimsPerPoll, maxLines - this.#held.size)
    if (limit > 0) await phoneConnections.claimLines({ instanceId, leaseSeconds, limit })
    const claimed = new Map((await phoneConnections.linesOf(instanceId)).map((row) => [row.id, row]))
    await this.#retire(
      [...this.#held.values()].filter((line) => {
        const row = claimed.get(line.connection.id)
        return row === undefined || !isUsable(row) || !line.fits(row) || this.#shouldTryAgain(line, row)
      }),
    )
    const unusable = [...claimed.values()].filter((row) => !isUsable(row)).map(({ id }) => id)
    if (unusable.length > 0) await phoneConnections.releaseLines(instanceId, unusable)
    // The instance may have begun to drain while the old lines were closed.
    if (isDraining()) return this.release()
    for (const row of claimed.values()) if (isUsable(row)) await this.#hold(row)
  }

  /** Takes no more calls, and gives up all claims. Calls continue. Without a database, the claims end with the lease. */
  async release(): Promise<void> {
    const { database, instanceId, log } = this.#dependencies
    await this.#retire([...this.#held.values()])
    await database.stores.phoneConnections.releaseLines(instanceId, null).catch((error: unknown) => {
      log.warn({ err: error }, 'the SIP lines were not released')
    })
  }

  /** Closes all lines. */
  async stop(): Promise<void> {
    await this.release()
    await Promise.all([...this.#retired].map((line) => line.close()))
    await this.#dependencies.lines.close()
  }

  /** Opens the line if it is not open, and stores its state if another one is stored. */
  async #hold(row: PhoneConnectionRecord): Promise<void> {
    const held = this.#held.get(row.id)
    if (held === undefined) {
      const changed = (line: HeldLine) => void this.#save(line)
      this.#held.set(row.id, new HeldLine({ ...this.#dependencies, changed }, row))
    } else if (held.check !== null && (row.checkedAt === null || row.failure !== held.check.failure))
      await this.#save(held)
  }

  async #save(line: HeldLine): Promise<void> {
    const { database, clock, log } = this.#dependencies
    const { connection, check } = line
    if (check === null || this.#held.get(connection.id) !== line) return
    const at = clock.now().toISOString()
    try {
      await database.stores.phoneConnections.saveCheck(connection.id, check.failure, at)
      line.savedAt = at
    } catch (error) {
      // The next poll stores it.
      log.warn({ err: error, phoneConnectionId: connection.id }, 'the state of a SIP line was not stored')
    }
  }

  /** Returns whether a test on request has succeeded after the line has failed. The line does not wait for its retry then. */
  #shouldTryAgain({ check, savedAt }: HeldLine, row: PhoneConnectionRecord): boolean {
    const hasFailed = check !== null && check.failure !== null && savedAt !== null
    return hasFailed && row.failure === null && row.checkedAt !== null && row.checkedAt > savedAt
  }

  async #retire(lines: readonly HeldLine[]): Promise<void> {
    for (const line of lines) {
      this.#held.delete(line.connection.id)
      this.#retired.add(line)
      void line.closed.then(() => this.#retired.delete(line))
    }
    await Promise.all(lines.map((line) => line.retire()))
  }
}

function isUsable({ kind, isEnabled, sealedSecret }: PhoneConnectionRecord): boolean {
  return kind === 'sip' && isEnabled && sealedSecret !== null
}
