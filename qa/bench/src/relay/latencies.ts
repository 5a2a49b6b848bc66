const bucketMicroseconds = 10

/** Buckets that hold something, as [bucket, count]: what goes from process to process. */
export type LatencyCounts = readonly (readonly [number, number])[]

/** How long frames took, counted in buckets. */
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

  /** The time that this share of the frames did not exceed, in milliseconds. */
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
