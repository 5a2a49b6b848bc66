const bucketMicroseconds = 10

/** The non-empty buckets, as [bucket, count]. Processes exchange latencies in this form. */
export type LatencyCounts = readonly (readonly [number, number])[]

export class Latencies {
  readonly #counts = new Map<number, number>()
  #total = 0

  add(microseconds: number): void {
    this.#count(Math.max(0, Math.floor(microseconds / bucketMicroseconds)), 1)
  }

  merge(counts: LatencyCounts): void {
    for (const [bucket, count] of counts) this.#count(bucket, count)
  }

  get counts(): LatencyCounts {
    return [...this.#counts]
  }

  /** Returns a percentile in milliseconds. */
  percentile(share: number): number {
    const ordered = [...this.#counts].sort(([one], [other]) => one - other)
    let passed = 0
    for (const [bucket, count] of ordered) {
      passed += count
      if (passed >= this.#total * share) return ((bucket + 0.5) * bucketMicroseconds) / 1000
    }
    return Number.NaN
  }

  #count(bucket: number, count: number): void {
    this.#counts.set(bucket, (this.#counts.get(bucket) ?? 0) + count)
    this.#total += count
  }
}
