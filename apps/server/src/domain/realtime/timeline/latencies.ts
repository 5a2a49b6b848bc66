import type { ExchangeRecord, SessionLatency } from '../../../ports/realtime-stores.js'

/** Equals the maximum number of stored exchanges per session. */
const maxMeasured = 500

/** The latencies of a session: from the end of the user's speech to the first audio of the answer. */
export class Latencies {
  readonly #counts: number[] = []
  /** The most recent latencies, in milliseconds. */
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

/**
 * Returns the percentile for this share: the smallest latency that at least this share of the latencies does
 * not exceed.
 */
function percentile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.ceil(sorted.length * share) - 1] ?? null
}

/*
 * A histogram of the latencies of many sessions. Its buckets lie between 50 ms and 50 s, four per doubling,
 * so that each one is a fifth wider than the previous one. A histogram is used because counts can be added
 * up, but percentiles cannot, and sorting all latencies takes too long.
 */
const shortest = 50
const classesPerDoubling = 4
const lastClass = 40

/**
 * Returns the bucket of a latency. Bucket 0 contains everything below the minimum, and the last bucket
 * everything above the maximum.
 */
export function latencyClassOf(milliseconds: number): number {
  if (milliseconds < shortest) return 0
  return Math.min(lastClass, 1 + Math.floor(Math.log2(milliseconds / shortest) * classesPerDoubling))
}

/** Increments the count of a bucket. Missing buckets before it are set to 0. */
export function addCount(counts: number[], latencyClass: number, count: number): void {
  while (counts.length <= latencyClass) counts.push(0)
  counts[latencyClass] = (counts[latencyClass] ?? 0) + count
}

/**
 * Returns the percentile for this share, or null if there are no latencies. Assumes that latencies are spread
 * evenly within a bucket.
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
