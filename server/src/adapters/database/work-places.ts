import type { WorkOwner } from '../../ports/database.js'

export interface WorkPlacesOptions {
  /** Pieces of work of one kind that an organization has at the database at once. */
  readonly placesOfEach: number
  /** How long a piece of work waits for its place. */
  readonly waitMilliseconds?: number
}

/** As long as a connection is waited for. */
const defaultWaitMilliseconds = 10_000

/** No place became free in time. Its code is that of a server that takes no more connections. */
export class NoPlaceInTime extends Error {
  readonly code = '53300'
}

interface Places {
  taken: number
  readonly waiting: Set<() => void>
}

/**
 * Lets each organization have a part of the database's connections at a time. All share them, and behind a hundred long
 * lists of one organization all others would wait.
 */
export class WorkPlaces {
  readonly #placesOfEach: number
  readonly #waitMilliseconds: number
  readonly #places = new Map<string, Places>()

  constructor({ placesOfEach, waitMilliseconds = defaultWaitMilliseconds }: WorkPlacesOptions) {
    this.#placesOfEach = placesOfEach
    this.#waitMilliseconds = waitMilliseconds
  }

  async run<Result>(owner: WorkOwner, work: () => Promise<Result>): Promise<Result> {
    const key = `${owner.kind} ${owner.organizationId}`
    const places = this.#places.get(key) ?? { taken: 0, waiting: new Set() }
    this.#places.set(key, places)
    if (places.taken < this.#placesOfEach) places.taken += 1
    else await this.#waitForPlace(places)
    try {
      return await work()
    } finally {
      this.#leave(key, places)
    }
  }

  #waitForPlace({ waiting }: Places): Promise<void> {
    return new Promise((resolve, reject) => {
      const take = () => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        waiting.delete(take)
        reject(new NoPlaceInTime('Too much of this organization waits for the database.'))
      }, this.#waitMilliseconds)
      waiting.add(take)
    })
  }

  #leave(key: string, places: Places): void {
    for (const take of places.waiting) {
      places.waiting.delete(take)
      // The place goes to whoever is next.
      return take()
    }
    places.taken -= 1
    if (places.taken === 0) this.#places.delete(key)
  }
}
