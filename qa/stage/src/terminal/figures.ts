export const median = (values: readonly number[]) => quantile(values, 0.5)

/** Returns the median and the range of the middle half. */
export function spread(values: readonly number[]): string {
  const [low, high] = [quantile(values, 0.25), quantile(values, 0.75)].map((value) => value.toFixed(2))
  return `${median(values).toFixed(2)} (${low} to ${high})`
}

export function quantile(values: readonly number[], share: number): number {
  const ordered = values.toSorted((one, other) => one - other)
  const index = share * (ordered.length - 1)
  const [low, high] = [ordered[Math.floor(index)] ?? Number.NaN, ordered[Math.ceil(index)] ?? Number.NaN]
  return low + (high - low) * (index - Math.floor(index))
}
