import { exponentName } from '../report/bars.js'
import { figure, type Row } from '../report/row.js'
import { describeRows } from '../report/row-tables.js'
import { startEngineWork } from './engine-work.js'
import { exponentOf, factors } from './exponent.js'
import type { GrowingWork } from './growing-work.js'
import { startRelayWorks } from './relay-works.js'
import { startRestWorks } from './rest-works.js'
import { describeSessions, measureSessionMemory } from './session-memory.js'

export interface GrowthBenchOptions {
  readonly rounds: number
  /** The share of the usual repetitions. */
  readonly share: number
  /** Whether to include the engine. Its models take long to load. */
  readonly hasEngine: boolean
}

/** Measures how processor time and memory grow with the amount of work: 1 is linear, 2 is quadratic. */
export async function runGrowthBench({ rounds, share, hasEngine }: GrowthBenchOptions): Promise<Row[]> {
  const rows: Row[] = []
  for (const start of [startRestWorks, startRelayWorks, ...(hasEngine ? [startEngineWork] : [])]) {
    const { works, stop } = await start(share)
    try {
      for (const work of works) {
        rows.push(makeRow(processorTime, work.name, await measure(work, rounds)))
      }
    } finally {
      await stop()
    }
  }
  for (const activity of ['silent', 'talking'] as const) {
    const held: number[][] = []
    for (let round = 1; round <= rounds; round += 1) held.push(await measureSessionMemory(activity))
    rows.push(makeRow(memory, describeSessions(activity), held))
  }
  console.log(describeRows(rows))
  return rows
}

/** The cost of each amount in each round. */
async function measure(work: GrowingWork, rounds: number): Promise<number[][]> {
  const costs: number[][] = []
  // The first round is a warm-up.
  for (let round = 0; round <= rounds; round += 1) {
    const inRound: number[] = []
    for (const factor of factors) inRound.push(await work.cost(factor))
    if (round > 0) costs.push(inRound)
  }
  return costs
}

/** The measured quantity. */
interface Kind {
  readonly scenario: string
  readonly title: string
}

const processorTime: Kind = {
  scenario: 'growth',
  title:
    'Processor time of 1, 2, 4 and 8 times the work, in milliseconds, and the exponent by which it grows',
}
const memory: Kind = {
  scenario: 'memory',
  title:
    'Memory of 1, 2, 4 and 8 times as many sessions on PostgreSQL, in MiB, and the exponent by which it grows',
}

function makeRow(kind: Kind, subject: string, costs: readonly (readonly number[])[]): Row {
  const exponent = figure(exponentName, '', costs.map(exponentOf))
  console.log(`  ${subject}: exponent ${exponent[0]?.median.toFixed(2)}`)
  return {
    bench: 'growth',
    ...kind,
    subject,
    figures: [
      ...factors.flatMap((factor, index) =>
        figure(
          `${factor}x`,
          '',
          costs.map((inRound) => inRound[index] ?? Number.NaN),
        ),
      ),
      ...exponent,
    ],
  }
}
