/** Where turns of an organization run: so many places here for each, and none that another could take. */
export class TurnPlaces {
  readonly #perOrganization: number
  readonly #taken = new Map<string, Set<string>>()
  /** Turns that were found to wait for something else: until that changes they take no place. */
  readonly #waiting = new Set<string>()

  constructor(perOrganization: number) {
    this.#perOrganization = perOrganization
  }

  /** Takes a place for the turn, to start it. False where there is none, or where it has one already. */
  take(organizationId: string, turnId: string): boolean {
    const taken = this.#taken.get(organizationId) ?? new Set()
    if (taken.size >= this.#perOrganization || taken.has(turnId) || this.#waiting.has(turnId)) return false
    this.#taken.set(organizationId, taken.add(turnId))
    return true
  }

  /** `isWaiting`: it could not start, since something else must end first. */
  release(organizationId: string, turnId: string, isWaiting = false): void {
    const taken = this.#taken.get(organizationId)
    taken?.delete(turnId)
    if (taken?.size === 0) this.#taken.delete(organizationId)
    if (isWaiting) this.#waiting.add(turnId)
    else this.#waiting.delete(turnId)
  }

  /** What these waited for may have ended; or, for all of them, somewhere. */
  forgetWaiting(turnIds: Iterable<string> = [...this.#waiting]): void {
    for (const id of turnIds) this.#waiting.delete(id)
  }
}
