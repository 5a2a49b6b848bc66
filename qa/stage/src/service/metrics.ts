/** The values of a Prometheus page by name with labels: `name` or `name{label="value"}`. */
export type MetricValues = ReadonlyMap<string, number>

export function parseMetrics(text: string): MetricValues {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ')
      return [line.slice(0, end), Number(line.slice(end + 1))] as const
    }),
  )
}

/** Returns the values of one metric by the value of its only label. */
export function byLabel(values: MetricValues, name: string): Map<string, number> {
  const entries = [...values].flatMap(([key, value]) => {
    const label = key.startsWith(`${name}{`) ? /="([^"]*)"/.exec(key)?.[1] : undefined
    return label === undefined ? [] : [[label, value] as const]
  })
  return new Map(entries)
}
