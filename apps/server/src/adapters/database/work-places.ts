import type { WorkOwner } from '../../ports/database.js'

export interface WorkPlacesOptions {
  /** Pieces of work that are at the database at once, of all organizations together. */
  readonly atOnce: number
  /** How many of these one organization may have. */
  readonly atOnceOfEach: number
  /** How long a piece of work waits for its place. */
  readonly waitMilliseconds?: number
}

/** As long as a connection is waited for. */
const defaultWaitMilliseconds = 10_000

/** No place became free in time: the database is there, but its owner has too much work waiting for it. */
export class NoPlaceInTime extends Error {
  override readonly name = 'NoPlaceInTime'
}

type Begin = () => void

/** What one organization has at the database, and what waits: kinds in the order of their turn, each in its own order. */
interface Share {
  running: number
  runningEntries: number
  readonly waiting: Map<WorkOwner['kind'], Set<Begin>>
}

/**
 * Lets organizations take turns at the database. All share its connections, and behind a hundred long lists of one
 * organization all others would wait. A place that becomes free goes to whoever is next among the organizations, and
 * within one of them among its kinds of work: its calls do not hold up what its sessions have to store. These entries
 * leave one place to the requests that wait. They wait for theirs without a limit: nothing else could be done with them.
 */
export class WorkPlaces {
  readonly #atOnceOfEach: number
  readonly #waitMilliseconds: number
  readonly #shares = new Map<string, Share>()
  /** Organizations that wait, in the order of their turn: whoever is served goes to the end. */
  readonly #turns = new Set<string>()
  #free: number

  constructor({ atOnce, atOnceOfEach, waitMilliseconds = defaultWaitMilliseconds }: WorkPlacesOptions) {
    this.#free = atOnce
    this.#atOnceOfEach = atOnceOfEach
    this.#waitMilliseconds = waitMilliseconds
  }

  async run<Result>({ organizationId, kind }: WorkOwner, work: () => Promise<Result>): Promise<Result> {
    const share = this.#shareOf(organizationId)
    if (this.#free > 0 && share.running < this.#atOnceOfEach) this.#take(share, kind)
    else await this.#waitForPlace(organizationId, share, kind)
    try {
      return await work()
    } finally {
      share.running -= 1
      if (kind === 'log') share.runningEntries -= 1
      this.#free += 1
      this.#forget(organizationId, share)
      this.#beginNext()
    }
  }

  #shareOf(organizationId: string): Share {
    const share = this.#shares.get(organizationId) ?? { running: 0, runningEntries: 0, waiting: new Map() }
    this.#shares.set(organizationId, share)
    return share
  }

  #take(share: Share, kind: WorkOwner['kind']): void {
    share.running += 1
    if (kind === 'log') share.runningEntries += 1
    this.#free -= 1
  }

  #waitForPlace(organizationId: string, share: Share, kind: WorkOwner['kind']): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer)
        this.#take(share, kind)
        resolve()
      }
      const giveUp = () => {
        this.#leave(organizationId, share, kind, begin)
        reject(new NoPlaceInTime('Too much work of this organization waits for the database.'))
      }
      const timer = kind === 'log' ? undefined : setTimeout(giveUp, this.#waitMilliseconds)
      const line = share.waiting.get(kind) ?? new Set()
      share.waiting.set(kind, line.add(begin))
      this.#turns.add(organizationId)
    })
  }

  #beginNext(): void {
    // A copy: whoever is served goes to the end, and comes again with the next place.
    for (const organizationId of [...this.#turns]) {
      if (this.#free === 0) return
      const share = this.#shares.get(organizationId)
      if (share === undefined || share.running >= this.#atOnceOfEach) continue
      for (const [kind, line] of share.waiting) {
        const [begin] = line
        if (begin === undefined || (kind === 'log' && this.#mustYield(share))) continue
        begin()
        this.#turns.delete(organizationId)
        share.waiting.delete(kind)
        if (line.size > 1) share.waiting.set(kind, line)
        this.#leave(organizationId, share, kind, begin)
        break
      }
    }
  }

  /** Whether requests wait and entries have all places but one. */
  #mustYield({ runningEntries, waiting }: Share): boolean {
    const doRequestsWait = waiting.has('call') || waiting.has('follow')
    return doRequestsWait && runningEntries > 0 && runningEntries >= this.#atOnceOfEach - 1
  }

  /** Takes it out of its line; what its organization has left goes behind the others. */
  #leave(organizationId: string, share: Share, kind: WorkOwner['kind'], begin: Begin): void {
    const line = share.waiting.get(kind)
    line?.delete(begin)
    if (line?.size === 0) share.waiting.delete(kind)
    if (share.waiting.size === 0) this.#turns.delete(organizationId)
    else this.#turns.add(organizationId)
    this.#forget(organizationId, share)
  }

  #forget(organizationId: string, share: Share): void {
    if (share.running === 0 && share.waiting.size === 0) this.#shares.delete(organizationId)
  }
}
