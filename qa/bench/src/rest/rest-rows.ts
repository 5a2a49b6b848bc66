import { Latencies, type LatencyCounts } from '../relay/latencies.js'
import { restRatio } from '../report/bars.js'
import { figure, type Row } from '../report/row.js'

/** The measurements of one request on one target. */
export interface RestResult {
  readonly name: string
  readonly slices: readonly RestSlice[]
}

interface RestSlice {
  readonly perSecond: number
  /** For one request. */
  readonly cpuMicroseconds: number
  readonly latencies: LatencyCounts
}

/** A row for each target. It compares within rounds, because the machine's speed changes over time. */
export function makeRestRows(request: string, statements: number, results: readonly RestResult[]): Row[] {
  const base = results.find(({ name }) => name === 'bare Fastify')?.slices ?? []
  return results.map(({ name, slices }) => ({
    bench: 'rest',
    scenario: request,
    title: `${request}, ${statements} statements`,
    subject: name,
    figures: [
      ...figure(
        'requests',
        'a second',
        slices.map(({ perSecond }) => perSecond),
      ),
      ...figure(
        'CPU',
        'µs a request',
        slices.map(({ cpuMicroseconds }) => cpuMicroseconds),
      ),
      ...figure(
        restRatio,
        '',
        slices.map(
          ({ cpuMicroseconds }, round) => (base[round]?.cpuMicroseconds ?? Number.NaN) / cpuMicroseconds,
        ),
      ),
      ...figure('p50', 'ms', percentiles(slices, 0.5)),
      ...figure('p99', 'ms', percentiles(slices, 0.99)),
    ],
  }))
}

function percentiles(slices: readonly RestSlice[], share: number): number[] {
  return slices.map((slice) => {
    const latencies = new Latencies()
    latencies.merge(slice.latencies)
    return latencies.percentile(share)
  })
}
