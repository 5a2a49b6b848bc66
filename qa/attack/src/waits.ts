/** The duration of a wait, in milliseconds. */
export interface WaitFigures {
  readonly count: number
  readonly p50: number
  readonly p99: number
  readonly longest: number
}

/** All waits. A wait that is not over counts with its duration so far. */
export class Waits {
  readonly #begun = new Set<number>()
  #over: number[] = []

  /** Begins a wait. Call the returned function to end it. */
  begin(): () => void {
    // Each key is a new object, because two waits that begin at the same time must not share one.
    let startedAt = performance.now()
    while (this.#begun.has(startedAt)) startedAt += 1e-6
    this.#begun.add(startedAt)
    return () => {
      if (this.#begun.delete(startedAt)) this.#over.push(performance.now() - startedAt)
    }
  }

  add(milliseconds: number): void {
    this.#over.push(milliseconds)
  }

  mark(): void {
    this.#over = []
  }

  figures(): WaitFigures {
    const now = performance.now()
    const all = [...this.#over, ...[...this.#begun].map((startedAt) => now - startedAt)]
    const ordered = all.sort((one, other) => one - other)
    return {
      count: ordered.length,
      p50: percentile(ordered, 0.5),
      p99: percentile(ordered, 0.99),
      longest: ordered.at(-1) ?? Number.NaN,
    }
  }
}

function percentile(ordered: readonly number[], share: number): number {
  return ordered[Math.max(0, Math.ceil(ordered.length * share) - 1)] ?? Number.NaN
}
