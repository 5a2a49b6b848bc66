import { Lane, type LaneResult, type Load } from './lane.js'
import { describeGrowth, describeLoad, type LoadResult } from './relay-report.js'
import { blindRelay } from './targets/blind-relay.js'
import { direct } from './targets/direct.js'
import { hasNginx, nginx } from './targets/nginx.js'
import { parley } from './targets/parley.js'

export interface RelayOptions {
  readonly sessions: readonly number[]
  readonly framesPerSecond: number
  /** What the machine can carry in all; the rate is lowered, for everyone alike, to keep within it. */
  readonly maxMessagesPerSecond: number
  readonly rounds: number
  readonly measureSeconds: number
}

const settleSeconds = 2

/** The same load through the service and through its peers. */
export async function runRelayBench(options: RelayOptions): Promise<void> {
  if (!hasNginx) console.log('nginx is not installed; the bench goes on without it (apt-get install nginx).')
  const results: LoadResult[] = []
  for (const sessions of options.sessions) {
    const affordable = options.maxMessagesPerSecond / (2 * sessions)
    const framesPerSecond = Math.min(options.framesPerSecond, affordable)
    const load = { sessions, framesPerSecond, settleSeconds, measureSeconds: options.measureSeconds }
    const result = { load, lanes: await runLoad(load, options.rounds) }
    console.log(describeLoad(result))
    results.push(result)
  }
  console.log(describeGrowth(results))
}

/**
 * All lanes stand ready; the load goes from one to the next in short slices, there and back again, so that whatever else
 * the machine does hits all of them alike. The first round only warms up.
 */
async function runLoad(load: Load, rounds: number): Promise<LaneResult[]> {
  const lanes: Lane[] = []
  try {
    for (const target of [direct, blindRelay, parley, ...(hasNginx ? [nginx] : [])])
      lanes.push(await Lane.open(target, load))
    for (const lane of lanes) {
      await lane.measure()
      lane.forget()
    }
    for (let round = 1; round <= rounds; round += 1) {
      const order = round % 2 === 0 ? lanes.toReversed() : lanes
      for (const lane of order) await lane.measure()
      console.log(
        describeRound(
          round,
          rounds,
          lanes.map((lane) => lane.result),
        ),
      )
    }
    return lanes.map((lane) => lane.result)
  } finally {
    await Promise.all(lanes.map((lane) => lane.close()))
  }
}

function describeRound(round: number, rounds: number, lanes: readonly LaneResult[]): string {
  const figures = lanes
    .filter((lane) => lane.name !== direct.name)
    .map((lane) => `${lane.name} ${lane.slices.at(-1)?.cpuMicrosecondsPerMessage.toFixed(1)}`)
  return `  round ${round} of ${rounds}: ${figures.join(', ')} µs of CPU a message`
}
