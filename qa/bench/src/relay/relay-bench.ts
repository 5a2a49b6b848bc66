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
  /**
   * The maximum number of messages per second that a small machine can carry. The rate of all targets is lowered to stay
   * within it.
   */
  readonly maxMessagesPerSecond: number
  /** Rounds of the scenarios with targets, and of the others. */
  readonly rounds: number
  readonly otherRounds: number
  readonly measureSeconds: number
  /** The warm-up of new sessions. Later scenarios on the same sessions need less. */
  readonly warmUpSeconds: number
}

/**
 * A relay that waited for its turn is cold: in its first second, a relay in JavaScript needs a sixth more
 * processor time.
 */
const settleSeconds = 1.5
/** The share of the warm-up for later scenarios. */
const laterWarmUp = 0.4

/** Puts the same load on the service and on its peers. */
export async function runRelayBench(options: RelayOptions): Promise<Row[]> {
  const search = await findProgram('nginx')
  const peers: readonly Target[] = [direct, blindRelay, parsingRelay, tcpPipe, parley, parleyOnWs]
  const targets = search.ok ? [...peers, ...makeNginxes(search.program)] : peers
  const absent = search.ok
    ? []
    : [{ subject: 'nginx', note: `not available on this machine: ${search.reason}` }]
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
    console.log(`  ${sessions} sessions are open through each of ${lanes.length} targets`)
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

/** Measures the lanes alternately in short slices. */
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
    for (const index of inTurns(round, [...lanes.keys()])) {
      const slice = await lanes[index]?.measure({ stream, settleSeconds, measureSeconds })
      if (slice) slices[index]?.push(slice)
    }
    const ratios = lanes.map(
      ({ name }, index) => `${name} ${slices[index]?.at(-1)?.cpuMicrosecondsPerMessage.toFixed(1)}`,
    )
    console.log(
      `  ${scenario.name}, round ${round} of ${count}: ${ratios.slice(1).join(', ')} µs of CPU per message`,
    )
  }
  return lanes.map(({ name }, index) => ({ name, slices: slices[index] ?? [] }))
}
