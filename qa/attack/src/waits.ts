/** How long somebody waited, in milliseconds. */
export interface WaitFigures {
  readonly count: number
  readonly p50: number
  readonly p99: number
  readonly longest: number
}

/** What was waited for: each wait by itself, and those that are not over yet as long as they last. */
export class Waits {
  readonly #begun = new Set<number>()
  #over: number[] = []

  /** Begins a wait; what it returns ends it. */
  begin(): () => void {
    // No two are the same: a map by number would lose one of two that begin together.
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
