import type { Line } from '@parley/telephone'
import type { Database } from '../../ports/database.js'
import type { PhoneConnectionRecord } from '../../ports/phone-stores.js'
import type { Clock } from '../../ports/time.js'
import { ClaimedLine, type ClaimedLineDependencies } from './claimed-line.js'

export interface SipLinesDependencies extends Omit<ClaimedLineDependencies, 'changed'> {
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
/** The time in which another instance with room claims a line. */
const claimMilliseconds = 60_000
const noRoom = `No instance has room for this line, because each holds ${maxLines}. Add an instance.`

/**
 * The SIP lines that this instance holds. A line is claimed in its row before it is opened, so at most one instance
 * registers it. A draining instance gives up its claims at once. Those of a dead instance are taken over.
 */
export class SipLines {
  readonly #dependencies: SipLinesDependencies
  readonly #held = new Map<string, ClaimedLine>()
  /** Lines that were replaced or released, and still have calls. */
  readonly #retired = new Set<ClaimedLine>()
  /** The phone connections whose old line is being unregistered. Their next line waits for that. */
  readonly #unregistering = new Map<string, Promise<void>>()

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
    const limit = Math.min(claimsPerPoll, maxLines - this.#held.size - this.#unregistering.size)
    if (limit > 0) await phoneConnections.claimLines({ instanceId, leaseSeconds, limit })
    else await this.#reportNoRoom()
    const claimed = new Map((await phoneConnections.linesOf(instanceId)).map((row) => [row.id, row]))
    for (const line of [...this.#held.values()]) {
      const row = claimed.get(line.connection.id)
      if (row === undefined || !isUsable(row) || !line.fits(row) || this.#shouldTryAgain(line, row))
        this.#retire(line)
    }
    const settled = [...claimed.values()].filter(({ id }) => !this.#unregistering.has(id))
    const unusable = settled.filter((row) => !isUsable(row)).map(({ id }) => id)
    if (unusable.length > 0) await phoneConnections.releaseLines(instanceId, unusable)
    // The instance may have begun to drain in the meantime.
    if (isDraining()) return this.release()
    for (const row of settled) if (isUsable(row)) await this.#hold(row)
  }

  /** Takes no more calls, and gives up all claims. Calls continue. Without a database, the claims end with the lease. */
  async release(): Promise<void> {
    const { database, instanceId, log } = this.#dependencies
    for (const line of [...this.#held.values()]) this.#retire(line)
    await Promise.all(this.#unregistering.values())
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
      const changed = (line: ClaimedLine) => void this.#save(line)
      this.#held.set(row.id, new ClaimedLine({ ...this.#dependencies, changed }, row))
    } else if (held.check !== null && (row.checkedAt === null || row.failure !== held.check.failure))
      await this.#save(held)
  }

  async #save(line: ClaimedLine): Promise<void> {
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

  /** Stores why a line is not held. An instance that holds it later stores its state. */
  async #reportNoRoom(): Promise<void> {
    const { database, clock, leaseSeconds } = this.#dependencies
    const now = clock.now()
    await database.stores.phoneConnections.failUnheldLines({
      leaseSeconds,
      failure: noRoom,
      at: now.toISOString(),
      unchangedSince: new Date(now.getTime() - claimMilliseconds).toISOString(),
    })
  }

  /** Returns whether a test on request has succeeded after the line has failed. The line does not wait for its retry then. */
  #shouldTryAgain({ check, savedAt }: ClaimedLine, row: PhoneConnectionRecord): boolean {
    const hasFailed = check !== null && check.failure !== null && savedAt !== null
    return hasFailed && row.failure === null && row.checkedAt !== null && row.checkedAt > savedAt
  }

  /** Begins to unregister a line. A slow provider delays no other line. */
  #retire(line: ClaimedLine): void {
    const { id } = line.connection
    this.#held.delete(id)
    this.#retired.add(line)
    void line.closed.then(() => this.#retired.delete(line))
    this.#unregistering.set(
      id,
      line.retire().finally(() => this.#unregistering.delete(id)),
    )
  }
}

function isUsable({ kind, isEnabled, sealedSecret }: PhoneConnectionRecord): boolean {
  return kind === 'sip' && isEnabled && sealedSecret !== null
}
