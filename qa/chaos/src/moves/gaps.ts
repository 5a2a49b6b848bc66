/** The longest gap that 99 of 100 users may notice in a rolling restart. */
const maxGapP99Milliseconds = 1500

export function gapFigures(gaps: readonly number[]) {
  const sorted = [...gaps].sort((one, other) => one - other)
  const at = (share: number) => Math.round(sorted[Math.ceil(sorted.length * share) - 1] ?? 0)
  return { gapP50Milliseconds: at(0.5), gapP99Milliseconds: at(0.99), gapMaxMilliseconds: at(1) }
}

/** Returns the violation if users of a rolling restart had to wait for too long, or if nothing was measured. */
export function slowGaps(gaps: readonly number[]): readonly string[] {
  if (gaps.length === 0) return ['No session has moved to the other instance']
  const { gapP99Milliseconds } = gapFigures(gaps)
  if (gapP99Milliseconds < maxGapP99Milliseconds) return []
  return [`The gap p99 is ${gapP99Milliseconds} ms, and must be below ${maxGapP99Milliseconds} ms`]
}
