import { median, spread } from '../terminal/figures.js'
import { describeTable } from '../terminal/table.js'
import type { LaneResult, Load } from './lane.js'
import { Latencies } from './latencies.js'
import { blindRelay } from './targets/blind-relay.js'
import { direct } from './targets/direct.js'
import { parley } from './targets/parley.js'

const targetRatio = 1.15
/** Below this share of the load asked for, something was full. */
const saturation = 0.97

export interface LoadResult {
  readonly load: Load
  readonly lanes: readonly LaneResult[]
}

const columns = [
  '',
  'messages/s',
  'CPU µs/message',
  'x blind relay',
  'added p50 ms',
  'added p99 ms',
  'memory MiB',
]

/** The table of one load, and what it says in a sentence. */
export function describeLoad({ load, lanes }: LoadResult): string {
  const { sessions, framesPerSecond } = load
  const blind = find(lanes, blindRelay.name)
  const way = latenciesOf(find(lanes, direct.name))
  const rows = lanes.map((lane) => (lane.name === direct.name ? directRow(lane) : row(lane, blind, way)))
  return [
    '',
    `${sessions} sessions, ${framesPerSecond} frames of 6.4 KB a second each way on each of them:`,
    '',
    describeTable([columns, ...rows]),
    '',
    describeVerdict(ratios(find(lanes, parley.name), blind)),
    ...describeSaturation(load, lanes),
    '',
  ].join('\n')
}

function row(lane: LaneResult, blind: LaneResult, way: Latencies): string[] {
  const latencies = latenciesOf(lane)
  const added = (share: number) => (latencies.percentile(share) - way.percentile(share)).toFixed(2)
  const cpu = median(lane.slices.map((slice) => slice.cpuMicrosecondsPerMessage)).toFixed(1)
  const ratio = lane === blind ? '1' : spread(ratios(lane, blind))
  return [lane.name, rateOf(lane).toFixed(0), cpu, ratio, added(0.5), added(0.99), mebibytes(lane)]
}

/** What one more session takes in memory: the smallest load compared with the largest. */
export function describeGrowth(results: readonly LoadResult[]): string {
  const ordered = results.toSorted((one, other) => one.load.sessions - other.load.sessions)
  const [small, large] = [ordered[0], ordered.at(-1)]
  if (!small || !large || small === large) return ''
  const added = large.load.sessions - small.load.sessions
  const growth = large.lanes
    .filter(({ name }) => name !== direct.name)
    .map(({ name, residentBytes }) => {
      const bytes = (residentBytes - find(small.lanes, name).residentBytes) / added
      return `${name} ${(bytes / 1024).toFixed(0)} KiB`
    })
  return `One more session takes, between ${small.load.sessions} and ${large.load.sessions} of them: ${growth.join(', ')}.`
}

/** Nothing in between: what the others' latency is compared with, in brackets. */
function directRow(lane: LaneResult): string[] {
  const whole = (share: number) => `(${latenciesOf(lane).percentile(share).toFixed(2)})`
  return [lane.name, rateOf(lane).toFixed(0), '', '', whole(0.5), whole(0.99), '']
}

function describeVerdict(values: readonly number[]): string {
  const ratio = median(values)
  const verdict = ratio <= targetRatio ? 'within' : 'above'
  return `Parley takes ${ratio.toFixed(2)} x the blind relay's CPU a message: ${verdict} the target of ${targetRatio}.`
}

function describeSaturation({ sessions, framesPerSecond }: Load, lanes: readonly LaneResult[]): string[] {
  const share = (lane: LaneResult) => rateOf(lane) / (2 * sessions * framesPerSecond)
  const full = lanes.filter((lane) => share(lane) < saturation)
  if (full.length === 0) return []
  const shares = full.map((lane) => `${lane.name} ${(share(lane) * 100).toFixed(0)} %`)
  return [
    `The machine was full (${shares.join(', ')} of the load came through), so latencies tell of queues.`,
  ]
}

/** Round by round, since neighbours in time had the same machine. */
function ratios(lane: LaneResult, base: LaneResult): number[] {
  return lane.slices.map(
    ({ cpuMicrosecondsPerMessage }, round) =>
      cpuMicrosecondsPerMessage / (base.slices[round]?.cpuMicrosecondsPerMessage ?? Number.NaN),
  )
}

function latenciesOf({ slices }: LaneResult): Latencies {
  const all = new Latencies()
  for (const counts of slices.flatMap((slice) => slice.latencies)) all.merge(counts)
  return all
}

function find(lanes: readonly LaneResult[], name: string): LaneResult {
  return lanes.find((lane) => lane.name === name) ?? { name, slices: [], residentBytes: Number.NaN }
}

const rateOf = ({ slices }: LaneResult) => median(slices.map((slice) => slice.messagesPerSecond))
const mebibytes = ({ residentBytes }: LaneResult) => (residentBytes / 1024 / 1024).toFixed(0)
