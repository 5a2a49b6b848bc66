import type { ExchangeRecord, SessionLatency } from '../../../ports/realtime-stores.js'

/** Equals the limit of stored exchanges of a session. */
const maxMeasured = 500

/** The latencies of a session: from the end of the user's speech to the first audio of the answer. */
export class Latencies {
  readonly #counts: number[] = []
  /** The latest latencies in milliseconds. */
  readonly #measured: number[] = []
  #exchanges = 0

  get summary(): SessionLatency {
    const sorted = [...this.#measured].sort((one, other) => one - other)
    return {
      exchanges: this.#exchanges,
      firstAudioP50Ms: percentile(sorted, 0.5),
      firstAudioP95Ms: percentile(sorted, 0.95),
      counts: [...this.#counts],
    }
  }

  /** Counts an exchange. An exchange that is stored again is not counted again. */
  add({ number, speechStoppedAt, firstAudioAt }: ExchangeRecord): void {
    if (number <= this.#exchanges) return
    this.#exchanges = number
    if (speechStoppedAt === null || firstAudioAt === null) return
    const milliseconds = firstAudioAt - speechStoppedAt
    addCount(this.#counts, latencyClassOf(milliseconds), 1)
    this.#measured.push(milliseconds)
    if (this.#measured.length > maxMeasured) this.#measured.shift()
  }
}

/** Returns the smallest latency that at least this share of them does not exceed. */
function percentile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.ceil(sorted.length * share) - 1] ?? null
}

/*
 * Latencies of many sessions are counted in classes between 50 ms and 50 s, four to a doubling, each a fifth wider than
 * the one before. Counts can be added up, but percentiles cannot, and sorting every latency takes too long.
 */
const shortest = 50
const classesPerDoubling = 4
const lastClass = 40

/**
 * Returns the class of a latency. 0 holds everything below the shortest, and the last class everything above the
 * longest.
 */
export function latencyClassOf(milliseconds: number): number {
  if (milliseconds < shortest) return 0
  return Math.min(lastClass, 1 + Math.floor(Math.log2(milliseconds / shortest) * classesPerDoubling))
}

/** Adds to the count of a class. Missing classes before it are set to 0. */
export function addCount(counts: number[], latencyClass: number, count: number): void {
  while (counts.length <= latencyClass) counts.push(0)
  counts[latencyClass] = (counts[latencyClass] ?? 0) + count
}

/**
 * Returns the latency that this share does not exceed, or null if there are none. Assumes that latencies are spread
 * evenly within a class.
 */
export function percentileOf(counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0)
  let rank = Math.ceil(total * share)
  for (const [latencyClass, count] of counts.entries()) {
    if (count > 0 && rank <= count) {
      const from = startOf(latencyClass)
      return Math.round(from + (startOf(latencyClass + 1) - from) * ((rank - 0.5) / count))
    }
    rank -= count
  }
  return null
}

function startOf(latencyClass: number): number {
  return latencyClass === 0 ? 0 : shortest * 2 ** ((latencyClass - 1) / classesPerDoubling)
}
