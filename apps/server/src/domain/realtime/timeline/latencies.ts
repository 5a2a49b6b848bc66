import type { ExchangeRecord, SessionLatency } from '../../../ports/realtime-exchange-store.js'
import { addCount, latencyClassOf } from './latency-classes.js'

/** Exactly as many as there are exchanges to look at. */
const maxMeasured = 500

/** How soon a session answers: from the end of the user's speech to the first audio of the answer. */
export class Latencies {
  readonly #counts: number[] = []
  /** The latest, in milliseconds. */
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

  /** Counts an exchange; one that is stored once more is not counted again. */
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

/** The least that this share of them does not exceed. */
function percentile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.ceil(sorted.length * share) - 1] ?? null
}
