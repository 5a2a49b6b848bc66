import { FairQueue } from '../../concurrency/fair-queue.js'
import type { WorkOwner } from '../../ports/database.js'
import { systemTimers } from '../system/timers.js'

export interface DatabaseSlotsOptions {
  /** The maximum number of concurrent transactions, in total and per organization. */
  readonly atOnce: number
  readonly atOncePerOrganization: number
  readonly waitMilliseconds?: number
}

/** The same as the pool's timeout for a connection. */
const defaultWaitMilliseconds = 10_000

/**
 * Thrown if no slot became free in time. The database is available, but the organization has too much queued
 * work.
 */
export class NoSlotInTime extends Error {
  override readonly name = 'NoSlotInTime'
}

/**
 * Shares the database among organizations. Without it, a hundred long lists of one organization would delay
 * all others. Within an organization, slots are assigned round-robin across the kinds of work, so that calls
 * do not delay the log entries of sessions. Log entries leave one slot to waiting requests. They wait without
 * a time limit, because they must be stored.
 */
export class DatabaseSlots {
  readonly #queue: FairQueue

  constructor({
    atOnce,
    atOncePerOrganization,
    waitMilliseconds = defaultWaitMilliseconds,
  }: DatabaseSlotsOptions) {
    this.#queue = new FairQueue(systemTimers, {
      atOnce,
      atOncePerOwner: atOncePerOrganization,
      maxWaitMilliseconds: waitMilliseconds,
      yieldingLane: 'log' satisfies WorkOwner['kind'],
    })
  }

  async run<Result>({ organizationId, kind }: WorkOwner, work: () => Promise<Result>): Promise<Result> {
    const result = await this.#queue.run(organizationId, work, kind)
    if (!result.ok)
      throw new NoSlotInTime('Too many statements of this organization are waiting for the database.')
    return result.value
  }
}
