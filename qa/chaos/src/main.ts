import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { exitOnSignals } from '@parley/stage/processes/kept-child'
import { canMeasureProcesses } from '@parley/stage/processes/process-usage'
import { readArguments } from '@parley/stage/terminal/read-arguments'
import { runDeaths, runRestart } from './moves/moves-run.js'
import { drawPlan } from './plan/draw-plan.js'
import { type Fault, faultKinds, type Plan } from './plan/fault.js'
import { readPlan } from './plan/plan-file.js'
import { shrink } from './plan/shrink.js'
import { describeChaos } from './report/chaos-report.js'
import { type ChaosResult, runChaos } from './run/chaos-run.js'
import { type FoundServers, findServers } from './stage/servers.js'
import { leaseSeconds } from './stage/stage.js'

/** The number of sessions that talk in the modes `--deaths` and `--restart`. */
const movingSessions = 50

const usage = `npm run chaos -- [--seed N] [--seconds 600] [--sessions 200] [--kinds ${faultKinds.join(',')}]
                [--plan FILE] [--shrink] [--runs 12] [--checkout FOLDER]
                [--deaths 1000]  ends connections of providers
                [--restart]      restarts both instances
Exit code: 0 if all invariants held, 1 if one was violated, 2 if the run failed.`

const { values } = readArguments(usage, {
  options: {
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '600' },
    sessions: { type: 'string', default: '200' },
    kinds: { type: 'string', default: faultKinds.join(',') },
    plan: { type: 'string' },
    shrink: { type: 'boolean', default: false },
    runs: { type: 'string', default: '12' },
    deaths: { type: 'string' },
    restart: { type: 'boolean', default: false },
    checkout: { type: 'string', default: fileURLToPath(new URL('../../../', import.meta.url)) },
    help: { type: 'boolean', default: false },
  },
})

const folder = fileURLToPath(
  new URL(`../../../.cache/chaos/${new Date().toISOString().replaceAll(':', '-')}`, import.meta.url),
)

function reject(problem: string): never {
  console.error(`${problem}\n${usage}`)
  process.exit(2)
}

function findPlan(): Plan {
  if (values.plan !== undefined) {
    const read = readPlan(values.plan)
    return read.ok ? read.plan : reject(read.problem)
  }
  const [seed, seconds, sessions] = [values.seed, values.seconds, values.sessions].map(Number)
  const names = values.kinds.split(',')
  const kinds = faultKinds.filter((kind) => names.includes(kind))
  const isKnown = kinds.length === names.length && Number.isInteger(seed)
  if (seed === undefined || !seconds || !sessions || !(seconds >= 10) || !(sessions >= 1) || !isKnown)
    return reject('These options are not valid.')
  return drawPlan({ seed, seconds, sessions, kinds, leaseSeconds })
}

if (values.help) {
  console.log(usage)
  process.exit(0)
}
if (!canMeasureProcesses) reject('Chaos reads /proc, so it needs Linux.')
const plan = findPlan()
exitOnSignals()
mkdirSync(folder, { recursive: true })
try {
  const servers = await findServers()
  console.log(`On ${servers.postgres.description} and ${servers.redis.description}, output in ${folder}`)
  if (values.deaths !== undefined || values.restart) process.exit(await runMoves(servers))
  let runs = 0
  const run = async (faults: readonly Fault[]): Promise<ChaosResult> => {
    runs += 1
    const own = join(folder, `run-${runs}`)
    mkdirSync(own, { recursive: true })
    writeFileSync(join(own, 'plan.json'), `${JSON.stringify({ ...plan, faults }, null, 1)}\n`)
    const { checkout } = values
    const result = await runChaos({
      plan: { ...plan, faults },
      servers,
      logFolder: own,
      checkout,
      say: console.log,
    })
    const report = describeChaos(result)
    writeFileSync(join(own, 'report.txt'), `${report}\n`)
    console.log(`\n${report}\n\nTo run it again: npm run chaos -- --plan ${join(own, 'plan.json')}\n`)
    return result
  }
  const first = await run(plan.faults)
  if (values.shrink && first.violations.length > 0) await shrinkPlan(first, run)
  process.exit(first.violations.length > 0 ? 1 : 0)
} catch (error) {
  console.error(error)
  process.exit(2)
}

/** Runs one of the modes for sessions that move, and returns the exit code. */
async function runMoves(servers: FoundServers): Promise<number> {
  const { checkout, seed, deaths } = values
  const options = { servers, checkout, logFolder: folder, seed: Number(seed), say: console.log }
  const sessions = process.argv.some((argument) => argument.startsWith('--sessions'))
    ? Number(values.sessions)
    : movingSessions
  const { figures, violations } =
    deaths === undefined
      ? await runRestart({ ...options, sessions })
      : await runDeaths({ ...options, sessions, deaths: Number(deaths) })
  console.log(figures)
  for (const violation of violations) console.log(violation)
  console.log(`${violations.length} violations`)
  return violations.length > 0 ? 1 : 0
}

/** Searches for the smallest set of faults that still violate one of the same invariants. */
async function shrinkPlan(
  { violations }: ChaosResult,
  run: (faults: readonly Fault[]) => Promise<ChaosResult>,
): Promise<void> {
  const invariants = new Set(violations.map(({ invariant }) => invariant))
  const breaks = async (faults: readonly Fault[]) =>
    (await run(faults)).violations.some(({ invariant }) => invariants.has(invariant))
  const { items, runs, isMinimal } = await shrink(plan.faults, breaks, Number(values.runs))
  const path = join(folder, 'smallest-plan.json')
  writeFileSync(path, `${JSON.stringify({ ...plan, faults: items }, null, 1)}\n`)
  const words = isMinimal
    ? 'None of them can be removed'
    : 'The runs were used up before the search was complete'
  console.log(
    `After ${runs} runs ${items.length} of ${plan.faults.length} faults are left. ${words}: ${path}`,
  )
}
