import { exponentName } from '../report/bars.js'
import { figure, type Row } from '../report/row.js'
import { describeRows } from '../report/row-tables.js'
import { exponentOf, factors } from './exponent.js'
import type { GrowingWork } from './growing-work.js'
import { startRelayWorks } from './relay-works.js'
import { startRestWorks } from './rest-works.js'

export interface GrowthBenchOptions {
  readonly rounds: number
  /** How much of the usual is done of each. */
  readonly share: number
}

/** How the processor time of what the service does grows with the amount of it: 1 is in proportion, 2 is quadratic. */
export async function runGrowthBench({ rounds, share }: GrowthBenchOptions): Promise<Row[]> {
  const rows: Row[] = []
  for (const start of [startRestWorks, startRelayWorks]) {
    const { works, stop } = await start(share)
    try {
      for (const work of works) {
        const row = makeRow(work, await measure(work, rounds))
        const exponent = row.figures.at(-1)?.median ?? Number.NaN
        console.log(`  ${work.name}: exponent ${exponent.toFixed(2)}`)
        rows.push(row)
      }
    } finally {
      await stop()
    }
  }
  console.log(describeRows(rows))
  return rows
}

/** What each amount cost in each round. */
async function measure(work: GrowingWork, rounds: number): Promise<number[][]> {
  const costs: number[][] = []
  // The first round warms up.
  for (let round = 0; round <= rounds; round += 1) {
    const inRound: number[] = []
    for (const factor of factors) inRound.push(await work.cost(factor))
    if (round > 0) costs.push(inRound)
  }
  return costs
}

function makeRow({ name }: GrowingWork, costs: readonly (readonly number[])[]): Row {
  return {
    bench: 'growth',
    scenario: 'growth',
    title:
      'Processor time of 1, 2, 4 and 8 times the work, in milliseconds, and the exponent by which it grows',
    subject: name,
    figures: [
      ...factors.flatMap((factor, place) =>
        figure(
          `${factor}x`,
          '',
          costs.map((inRound) => inRound[place] ?? Number.NaN),
        ),
      ),
      ...figure(exponentName, '', costs.map(exponentOf)),
    ],
  }
}
