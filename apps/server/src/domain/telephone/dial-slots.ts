import type { PhoneCallRecord } from '../../ports/phone-stores.js'

/** How many requests to dial may be in progress on an instance. */
const maxDialing = 100
/**
 * The maximum number of calls of one organization that a poll claims. With this many in progress, none is claimed, so that
 * a slow provider leaves room for other organizations.
 */
const maxClaimed = 10

/** The calls that may be claimed. */
export interface DialRoom {
  readonly limit: number
  readonly perOrganization: number
  readonly exceptOrganizations: readonly string[]
}

/** The requests to dial that are in progress on this instance. */
export class DialSlots {
  readonly #dialing = new Map<Promise<void>, string>()

  /** Returns how many calls may be claimed, or null if none. */
  room(): DialRoom | null {
    const limit = maxDialing - this.#dialing.size
    if (limit <= 0) return null
    const counts = new Map<string, number>()
    for (const organizationId of this.#dialing.values())
      counts.set(organizationId, (counts.get(organizationId) ?? 0) + 1)
    const busy = [...counts].filter(([, count]) => count >= maxClaimed)
    return { limit, perOrganization: maxClaimed, exceptOrganizations: busy.map(([id]) => id) }
  }

  add({ organizationId }: PhoneCallRecord, dialing: Promise<void>): void {
    const slot = dialing.finally(() => this.#dialing.delete(slot))
    this.#dialing.set(slot, organizationId)
  }

  /** Resolves when all requests in progress have ended. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#dialing.keys())
  }
}
