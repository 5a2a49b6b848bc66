import { Latencies, type LatencyCounts } from '../relay/latencies.js'
import { median, spread } from '../terminal/figures.js'
import { describeTable } from '../terminal/table.js'

/** What was measured of one target with one request. */
export interface RestResult {
  readonly name: string
  readonly request: string
  /** How many statements such a request has. */
  readonly statements: number
  readonly slices: readonly RestSlice[]
}

interface RestSlice {
  readonly perSecond: number
  /** Of one request. */
  readonly cpuMicroseconds: number
  readonly latencies: LatencyCounts
}

const columns = [
  '',
  'requests/s',
  'CPU µs/request',
  'requests a CPU second, x bare Fastify',
  'p50 ms',
  'p99 ms',
]

/** One table for one request. */
export function describeRest(results: readonly RestResult[]): string {
  const base = results.find(({ name }) => name === 'bare Fastify')
  const rows = results.map((result) => [
    result.name,
    median(result.slices.map(({ perSecond }) => perSecond)).toFixed(0),
    median(result.slices.map(({ cpuMicroseconds }) => cpuMicroseconds)).toFixed(0),
    result === base || base === undefined ? '1' : spread(shares(result, base)),
    ...[0.5, 0.99].map((share) => latenciesOf(result).percentile(share).toFixed(1)),
  ])
  const [first] = results
  return `\n${first?.request}, ${first?.statements} statements:\n\n${describeTable([columns, ...rows])}\n`
}

/** Round by round, since neighbours in time had the same machine. */
function shares({ slices }: RestResult, base: RestResult): number[] {
  return slices.map(
    ({ cpuMicroseconds }, round) => (base.slices[round]?.cpuMicroseconds ?? Number.NaN) / cpuMicroseconds,
  )
}

function latenciesOf({ slices }: RestResult): Latencies {
  const all = new Latencies()
  for (const { latencies } of slices) all.merge(latencies)
  return all
}
