/** The multiples of the smallest amount. */
export const factors = [1, 2, 4, 8] as const

/** The slope of the line through the logarithms of the costs: 1 is linear, 2 is quadratic. */
export function exponentOf(costs: readonly number[]): number {
  const points = costs.map((cost, index) => [Math.log(factors[index] ?? 1), Math.log(cost)] as const)
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [meanX, meanY] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))]
  const product = points.map(([x, y]) => (x - meanX) * (y - meanY))
  return mean(product) / mean(points.map(([x]) => (x - meanX) ** 2))
}
