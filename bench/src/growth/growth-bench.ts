import type { Agent } from '@parley/contract'
import { inParallel } from '../processes/in-parallel.js'
import { cpuMicroseconds } from '../processes/process-usage.js'
import { startGreeter } from '../service/greeter.js'
import { type ParleyService, startParley } from '../service/parley-service.js'
import { startPostgres } from '../service/postgres-process.js'
import { createTicket, makeSpeakingAgents } from '../service/speaking-agents.js'
import { median } from '../terminal/figures.js'
import { describeTable } from '../terminal/table.js'

export interface GrowthBenchOptions {
  readonly rounds: number
}

/** Some work that can be made larger. */
interface GrowingWork {
  readonly name: string
  /** Does so many times its smallest amount. */
  readonly run: (factor: number) => Promise<unknown>
}

const factors = [1, 2, 4, 8] as const
/** Of each amount in each round: Linux counts processor time in hundredths of a second. */
const repetitions = 60
const atOnce = 4
const model = 'gpt-realtime'

/** How the processor time of what the service does grows with the amount of it: 1 is in proportion, 2 is quadratic. */
export async function runGrowthBench({ rounds }: GrowthBenchOptions): Promise<void> {
  const postgres = await startPostgres()
  const provider = await startGreeter()
  const parley = await startParley({
    isBundled: true,
    env: {
      DATABASE_URL: postgres.url,
      PARLEY_SECRET: 'a secret for the bench that is long enough',
      LOG_LEVEL: 'warn',
      PARLEY_ORG_MAX_AGENTS: '100000',
    },
  })
  try {
    const rows = []
    for (const work of await growingWorks(parley, provider.url)) {
      const costs = await measure(parley, work, rounds)
      rows.push([work.name, ...costs.map((cost) => cost.toFixed(2)), exponentOf(costs).toFixed(2)])
    }
    const head = ['processor ms of one', ...factors.map((factor) => `${factor}x`), 'exponent']
    console.log(describeTable([head, ...rows]))
  } finally {
    await parley.stop()
    await postgres.stop()
    provider.close()
  }
}

async function growingWorks({ api }: ParleyService, providerUrl: string): Promise<GrowingWork[]> {
  const agents = await makeSpeakingAgents(api, providerUrl, [model])
  const agentId = agents[model]
  const make = (index: number) => api.call('POST', '/api/v1/Agent', { name: `Agent ${index}` })
  await inParallel(200, atOnce, make)
  const { id } = await api.call<Agent>('POST', '/api/v1/Agent', { name: 'Of many tools' })
  return [
    { name: 'list of 25 agents', run: (factor) => api.call('GET', `/api/v1/Agent?Limit=${25 * factor}`) },
    { name: '5 agents made', run: (factor) => inParallel(5 * factor, 1, make) },
    {
      name: 'agent with 12 tools saved',
      run: (factor) => api.call('PATCH', `/api/v1/Agent/${id}`, { tools: toolsOf(12 * factor) }),
    },
    {
      name: 'agent with 12 kB of instructions saved',
      run: (factor) =>
        api.call('PATCH', `/api/v1/Agent/${id}`, { systemMessage: 'Be kind. '.repeat(1300 * factor) }),
    },
    {
      name: 'session created with 8 client tools',
      run: (factor) =>
        api.call('POST', `/api/v1/Agent/${agentId}/realtime-session`, { clientTools: toolsFor(8 * factor) }),
    },
    {
      name: '5 sessions created',
      run: (factor) => inParallel(5 * factor, 1, () => createTicket(api, agentId)),
    },
  ]
}

const toolsFor = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ name: `tool_${index}`, description: 'Does something.' }))

const toolsOf = (count: number) =>
  toolsFor(count).map((tool) => ({ ...tool, kind: 'builtin', builtin: 'current_time' }))

/** Processor time of one, in milliseconds, for each amount. */
async function measure({ pid }: ParleyService, { run }: GrowingWork, rounds: number): Promise<number[]> {
  const costs = factors.map((): number[] => [])
  // The first round warms up.
  for (let round = 0; round <= rounds; round += 1)
    for (const [index, factor] of factors.entries()) {
      const count = Math.ceil(repetitions / factor)
      const before = cpuMicroseconds([pid])
      await inParallel(count, atOnce, () => run(factor))
      if (round > 0) costs[index]?.push((cpuMicroseconds([pid]) - before) / count / 1000)
    }
  return costs.map(median)
}

/** The slope of the line through the logarithms. */
function exponentOf(costs: readonly number[]): number {
  const points = costs.map((cost, index) => [Math.log(factors[index] ?? 1), Math.log(cost)] as const)
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [meanX, meanY] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))]
  const product = points.map(([x, y]) => (x - meanX) * (y - meanY))
  return mean(product) / mean(points.map(([x]) => (x - meanX) ** 2))
}
