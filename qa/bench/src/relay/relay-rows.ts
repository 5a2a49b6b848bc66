import { median } from '@parley/stage/terminal/figures'
import { figure, type Row } from '../report/row.js'
import type { Slice } from './lane.js'
import { describeScenario, type Scenario } from './scenarios.js'

/** The slices of one target, one per round. */
export interface Measured {
  readonly name: string
  readonly slices: readonly Slice[]
}

interface Absent {
  readonly subject: string
  readonly note: string
}

/** Below this share of the requested load, a part of the setup was saturated. */
const saturation = 0.97
const shares = [
  ['p50', 0.5],
  ['p99', 0.99],
  ['p99.9', 0.999],
] as const

/** Makes the rows. Compares within rounds, because slices of the same round had similar conditions. */
export function makeRelayRows(
  scenario: Scenario,
  measured: readonly Measured[],
  absent: readonly Absent[],
): Row[] {
  const head = { bench: 'relay', scenario: scenario.name, title: describeScenario(scenario) }
  const slicesOf = (name: string) => measured.find((one) => one.name === name)?.slices ?? []
  const ways = slicesOf('direct')
  const rows = measured.map(({ name, slices }): Row => {
    const note = describeSaturation(scenario, slices)
    const figures = [
      ...figure(
        'messages',
        'a second',
        slices.map(({ messagesPerSecond }) => messagesPerSecond),
      ),
      ...(name === 'direct' ? wholeLatencies(slices) : relayFigures(slices, ways, slicesOf)),
    ]
    return { ...head, subject: name, figures, ...(note !== undefined && { note }) }
  })
  return [...rows, ...absent.map((one) => ({ ...head, ...one, figures: [] }))]
}

function relayFigures(
  slices: readonly Slice[],
  ways: readonly Slice[],
  slicesOf: (name: string) => readonly Slice[],
) {
  const ratiosTo = (base: readonly Slice[]) =>
    slices.map(
      ({ cpuMicrosecondsPerMessage }, round) =>
        cpuMicrosecondsPerMessage / (base[round]?.cpuMicrosecondsPerMessage ?? Number.NaN),
    )
  return [
    ...figure(
      'CPU',
      'µs a message',
      slices.map(({ cpuMicrosecondsPerMessage }) => cpuMicrosecondsPerMessage),
    ),
    ...figure('CPU x blind relay', '', ratiosTo(slicesOf('blind relay'))),
    ...figure('CPU x nginx', '', ratiosTo(slicesOf('nginx'))),
    ...shares.flatMap(([name, share]) =>
      figure(
        `added ${name}`,
        'ms',
        slices.map(
          ({ latencies }, round) =>
            latencies.percentile(share) - (ways[round]?.latencies.percentile(share) ?? Number.NaN),
        ),
      ),
    ),
    ...figure(
      'memory',
      'MiB',
      slices.slice(-1).map(({ residentBytes }) => residentBytes / 1024 ** 2),
    ),
  ]
}

/** The latency without a relay, with which the others are compared. */
function wholeLatencies(slices: readonly Slice[]) {
  return shares.flatMap(([name, share]) =>
    figure(
      `whole ${name}`,
      'ms',
      slices.map(({ latencies }) => latencies.percentile(share)),
    ),
  )
}

function describeSaturation(
  { sessions, framesPerSecond }: Scenario,
  slices: readonly Slice[],
): string | undefined {
  const share =
    median(slices.map(({ messagesPerSecond }) => messagesPerSecond)) / (2 * sessions * framesPerSecond)
  return share < saturation ? `carried ${(share * 100).toFixed(0)} % of the load` : undefined
}
