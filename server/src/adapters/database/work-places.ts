import type { WorkOwner } from '../../ports/database.js'

/** Pieces of work of one kind that an organization has at the database at once. */
const placesOfEach = 4

interface Places {
  taken: number
  readonly waiting: (() => void)[]
}

/**
 * Lets each organization have a few pieces of work at the database at a time. All share its connections, and the embedded
 * one is a single queue: behind a hundred long lists of one organization, all others would wait.
 */
export class WorkPlaces {
  readonly #places = new Map<string, Places>()

  async run<Result>(owner: WorkOwner, work: () => Promise<Result>): Promise<Result> {
    const key = `${owner.kind} ${owner.organizationId}`
    const places = this.#places.get(key) ?? { taken: 0, waiting: [] }
    this.#places.set(key, places)
    if (places.taken < placesOfEach) places.taken += 1
    else await new Promise<void>((resolve) => void places.waiting.push(resolve))
    try {
      return await work()
    } finally {
      this.#leave(key, places)
    }
  }

  #leave(key: string, places: Places): void {
    const next = places.waiting.shift()
    // The place goes to whoever is next.
    if (next) return next()
    places.taken -= 1
    if (places.taken === 0) this.#places.delete(key)
  }
}
