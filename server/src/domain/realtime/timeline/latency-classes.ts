/*
 * Latencies are summed up over many sessions in classes, each a fifth longer than the one before it: four to a doubling,
 * from 50 ms to 50 s. A few counts a session are added up quickly where a hundred thousand sorted latencies are not.
 */
const shortest = 50
const classesPerDoubling = 4
const lastClass = 40

/** The class of a latency: 0 is all below the shortest, the last is all above the longest. */
export function latencyClassOf(milliseconds: number): number {
  if (milliseconds < shortest) return 0
  return Math.min(lastClass, 1 + Math.floor(Math.log2(milliseconds / shortest) * classesPerDoubling))
}

/** Counts of latency classes, by class. */
export type LatencyCounts = ReadonlyMap<number, number>

/** The latency that this share does not exceed, as if a class were filled evenly; null where there are none. */
export function percentileOf(counts: LatencyCounts, share: number): number | null {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  let rank = Math.ceil(total * share)
  for (const [latencyClass, count] of [...counts].sort(([one], [other]) => one - other)) {
    if (rank <= count) {
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
