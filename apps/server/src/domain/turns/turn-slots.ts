/** The slots for running turns on this instance. Each organization has its own number of them. */
export class TurnSlots {
  readonly #perOrganization: number
  readonly #taken = new Map<string, Set<string>>()
  /** Turns that cannot start before another event, such as the end of an earlier turn. They take no slot until then. */
  readonly #waiting = new Set<string>()

  constructor(perOrganization: number) {
    this.#perOrganization = perOrganization
  }

  /** Takes a slot for the turn. Returns false if no slot is free or the turn has one already. */
  take(organizationId: string, turnId: string): boolean {
    const taken = this.#taken.get(organizationId) ?? new Set()
    if (taken.size >= this.#perOrganization || taken.has(turnId) || this.#waiting.has(turnId)) return false
    this.#taken.set(organizationId, taken.add(turnId))
    return true
  }

  /** `isWaiting`: the turn could not start yet. */
  release(organizationId: string, turnId: string, isWaiting = false): void {
    const taken = this.#taken.get(organizationId)
    taken?.delete(turnId)
    if (taken?.size === 0) this.#taken.delete(organizationId)
    if (isWaiting) this.#waiting.add(turnId)
    else this.#waiting.delete(turnId)
  }

  /** Lets these turns, or all if none are named, try again. */
  forgetWaiting(turnIds: Iterable<string> = [...this.#waiting]): void {
    for (const id of turnIds) this.#waiting.delete(id)
  }
}
