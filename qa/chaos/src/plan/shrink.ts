export interface Shrunk<Item> {
  /** The smallest list found that still violates an invariant. */
  readonly items: readonly Item[]
  readonly runs: number
  /** Whether no item can be removed. False if the runs were used up before that was known. */
  readonly isMinimal: boolean
}

/**
 * Delta debugging: removes parts as long as the rest still breaks. Runs are partly random, so the same list
 * may break once and not the next time. The found list did break, but not every item in it may be needed.
 */
export async function shrink<Item>(
  items: readonly Item[],
  breaks: (subset: readonly Item[]) => Promise<boolean>,
  maxRuns: number,
): Promise<Shrunk<Item>> {
  let kept = items
  let parts = 2
  let runs = 0
  // A run that breaks without any fault needs no search.
  if (await firstThatBreaks([[]])) return { items: [], runs, isMinimal: true }
  while (kept.length > 1) {
    const smaller = await firstThatBreaks(candidates(kept, parts))
    if (runs > maxRuns) return { items: kept, runs: maxRuns, isMinimal: false }
    if (smaller) {
      // If a complement breaks, the number of parts shrinks by one. If a part breaks, it is halved.
      parts = smaller.length * 2 > kept.length ? Math.max(parts - 1, 2) : 2
      kept = smaller
    } else if (parts >= kept.length) return { items: kept, runs, isMinimal: true }
    else parts = Math.min(parts * 2, kept.length)
  }
  return { items: kept, runs, isMinimal: true }

  async function firstThatBreaks(subsets: readonly (readonly Item[])[]) {
    for (const subset of subsets) {
      runs += 1
      if (runs > maxRuns) return undefined
      if (await breaks(subset)) return subset
    }
    return undefined
  }
}

/** Returns each part alone, then each complement. With two parts these are the same. */
function candidates<Item>(items: readonly Item[], parts: number): readonly (readonly Item[])[] {
  const bounds = Array.from({ length: parts + 1 }, (_, index) => Math.round((index * items.length) / parts))
  const ranges = bounds.slice(0, -1).map((from, index) => [from, bounds[index + 1] ?? items.length] as const)
  const alone = ranges.map(([from, to]) => items.slice(from, to))
  const others = ranges.map(([from, to]) => [...items.slice(0, from), ...items.slice(to)])
  return [...alone, ...(parts > 2 ? others : [])].filter(({ length }) => length > 0 && length < items.length)
}
