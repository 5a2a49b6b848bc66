import { findProgram } from '@parley/stage/processes/find-program'
import { inTurns } from '@parley/stage/processes/in-turns'
import { untilAtRest } from '@parley/stage/processes/until-at-rest'
import type { Row } from '../report/row.js'
import { describeRows } from '../report/row-tables.js'
import { Lane, type Slice } from './lane.js'
import { type Measured, makeRelayRows } from './relay-rows.js'
import { groupScenarios, type Scenario, withinReach } from './scenarios.js'
import { blindRelay, parsingRelay, tcpPipe } from './targets/bare-relays.js'
import { direct } from './targets/direct.js'
import { makeNginxes } from './targets/nginx.js'
import { parley, parleyOnWs } from './targets/parley.js'
import type { Target } from './targets/target.js'

export interface RelayOptions {
  readonly scenarios: readonly Scenario[]
  /** What a small machine can carry in all; the rate is lowered, for everyone alike, to keep within it. */
  readonly maxMessagesPerSecond: number
  /** Of the scenarios that bars are judged by, and of the others. */
  readonly rounds: number
  readonly otherRounds: number
  readonly measureSeconds: number
  /** Of every target when its sessions are new; once they are warm, a shorter time for the next scenario. */
  readonly warmUpSeconds: number
}

/** Whoever has waited for its turn is cold: a relay in JavaScript takes a sixth more in its first second. */
const settleSeconds = 1.5
/** Of the time that new sessions are warmed up for. */
const laterWarmUp = 0.4

/** The same load through the service and through its peers. */
export async function runRelayBench(options: RelayOptions): Promise<Row[]> {
  const search = await findProgram('nginx')
  const peers: readonly Target[] = [direct, blindRelay, parsingRelay, tcpPipe, parley, parleyOnWs]
  const targets = search.ok ? [...peers, ...makeNginxes(search.program)] : peers
  const absent = search.ok ? [] : [{ subject: 'nginx', note: `it is not on this machine: ${search.reason}` }]
  const reachable = options.scenarios.map((scenario) => withinReach(scenario, options.maxMessagesPerSecond))
  const rows: Row[] = []
  for (const group of groupScenarios(reachable))
    for (const { scenario, measured } of await measureGroup(group, targets, options)) {
      const made = makeRelayRows(scenario, measured, absent)
      console.log(describeRows(made))
      rows.push(...made)
    }
  return rows
}

interface MeasuredScenario {
  readonly scenario: Scenario
  readonly measured: readonly Measured[]
}

async function measureGroup(
  scenarios: readonly Scenario[],
  targets: readonly Target[],
  options: RelayOptions,
): Promise<MeasuredScenario[]> {
  const [first] = scenarios
  if (first === undefined) return []
  const { sessions, isSecure } = first
  const lanes: Lane[] = []
  try {
    for (const target of targets) lanes.push(await Lane.open(target, { sessions, isSecure }))
    console.log(`  ${sessions} sessions are open through each of ${lanes.length}`)
    await Promise.all(lanes.map(({ pids }) => untilAtRest(pids)))
    const results: MeasuredScenario[] = []
    for (const scenario of scenarios) {
      const { framesPerSecond, shape, burst } = scenario
      const stream = { framesPerSecond, shape, burst }
      const measureSeconds = options.warmUpSeconds * (results.length === 0 ? 1 : laterWarmUp)
      for (const lane of lanes) await lane.measure({ stream, settleSeconds: 0, measureSeconds })
      results.push({ scenario, measured: await measureScenario(scenario, lanes, options) })
    }
    return results
  } finally {
    await Promise.all(lanes.map((lane) => lane.close()))
  }
}

/** The load goes from one lane to the next in short slices. */
async function measureScenario(
  scenario: Scenario,
  lanes: readonly Lane[],
  { rounds, otherRounds, measureSeconds }: RelayOptions,
): Promise<Measured[]> {
  const slices = lanes.map((): Slice[] => [])
  const { framesPerSecond, shape, burst, isJudged } = scenario
  const stream = { framesPerSecond, shape, burst }
  const count = isJudged ? rounds : otherRounds
  for (let round = 1; round <= count; round += 1) {
    for (const place of inTurns(round, [...lanes.keys()])) {
      const slice = await lanes[place]?.measure({ stream, settleSeconds, measureSeconds })
      if (slice) slices[place]?.push(slice)
    }
    const told = lanes.map(
      ({ name }, place) => `${name} ${slices[place]?.at(-1)?.cpuMicrosecondsPerMessage.toFixed(1)}`,
    )
    console.log(
      `  ${scenario.name}, round ${round} of ${count}: ${told.slice(1).join(', ')} µs of CPU a message`,
    )
  }
  return lanes.map(({ name }, place) => ({ name, slices: slices[place] ?? [] }))
}
