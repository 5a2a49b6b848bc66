import { FairQueue } from '../../concurrency/fair-queue.js'
import type { WorkOwner } from '../../ports/database.js'
import { systemTimers } from '../system/timers.js'

export interface DatabaseSlotsOptions {
  /** Slots of all organizations together, and how many of them one organization may have. */
  readonly atOnce: number
  readonly atOnceOfEach: number
  readonly waitMilliseconds?: number
}

/** As long as the pool waits for a connection. */
const defaultWaitMilliseconds = 10_000

/** No slot became free in time: the database answers, but the organization has too much work waiting for it. */
export class NoSlotInTime extends Error {
  override readonly name = 'NoSlotInTime'
}

/**
 * Shares the database among organizations. Without it, a hundred long lists of one organization would delay all others.
 * Within an organization its kinds of work take turns, so calls do not delay what sessions have to store. Log entries leave
 * one slot to waiting requests. They wait without a time limit, since they must be stored.
 */
export class DatabaseSlots {
  readonly #queue: FairQueue

  constructor({ atOnce, atOnceOfEach, waitMilliseconds = defaultWaitMilliseconds }: DatabaseSlotsOptions) {
    this.#queue = new FairQueue(systemTimers, {
      atOnce,
      atOncePerOwner: atOnceOfEach,
      maxWaitMilliseconds: waitMilliseconds,
      yieldingLane: 'log' satisfies WorkOwner['kind'],
    })
  }

  async run<Result>({ organizationId, kind }: WorkOwner, work: () => Promise<Result>): Promise<Result> {
    const result = await this.#queue.run(organizationId, work, kind)
    if (!result.ok) throw new NoSlotInTime('Too much work of this organization waits for the database.')
    return result.value
  }
}
