/*
 * Latencies are summed up over many sessions in classes, each a fifth longer than the one before it: four to a doubling,
 * from 50 ms to 50 s. Counts of classes can be added up; percentiles cannot, and to sort every latency takes too long.
 */
const shortest = 50
const classesPerDoubling = 4
const lastClass = 40

/** The class of a latency: 0 is all below the shortest, the last is all above the longest. */
export function latencyClassOf(milliseconds: number): number {
  if (milliseconds < shortest) return 0
  return Math.min(lastClass, 1 + Math.floor(Math.log2(milliseconds / shortest) * classesPerDoubling))
}

/** Adds to the count of a class; those before it that are not there yet are 0. */
export function addCount(counts: number[], latencyClass: number, count: number): void {
  while (counts.length <= latencyClass) counts.push(0)
  counts[latencyClass] = (counts[latencyClass] ?? 0) + count
}

/** The latency that this share does not exceed, as if a class were filled evenly; null where there are none. */
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
