/*
 * Counts as one number, nine decimal digits to each, the first count lowest: the database adds up all of them by one
 * addition (realtime-schema.ts).
 */
const digits = 9

export function packCounts(counts: readonly number[]): string {
  return [0, ...counts.toReversed()].map((count) => String(count).padStart(digits, '0')).join('')
}

export function unpackCounts(packed: string): number[] {
  const counts: number[] = []
  for (let end = packed.length; end > 0; end -= digits)
    counts.push(Number(packed.slice(Math.max(0, end - digits), end)))
  return counts
}
