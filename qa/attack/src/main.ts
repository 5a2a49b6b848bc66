import { exitOnSignals } from '@parley/stage/processes/kept-child'
import { canMeasureProcesses } from '@parley/stage/processes/process-usage'
import { startPostgres } from '@parley/stage/service/postgres-process'
import { readArguments } from '@parley/stage/terminal/read-arguments'
import { describeProgress, describeResults } from './attack-report.js'
import { runAttacks } from './attack-run.js'
import { attacks } from './attack-table.js'
import { findBrokenBars, fullBars } from './bars.js'

const databases = ['embedded', 'postgres'] as const
const memoryMilliseconds = 60_000
const aftermathMilliseconds = 1500
const shortScale = 0.05
const leastSeconds = 10

const usage = `npm run attack -- [--only NAME,NAME] [--database embedded|postgres|both] [--short]

${attacks.map(({ name, about }) => `  ${name.padEnd(22)}${about}`).join('\n')}`

const { values } = readArguments(usage, {
  options: {
    only: { type: 'string' },
    database: { type: 'string', default: 'both' },
    short: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

const names = values.only?.split(',') ?? attacks.map(({ name }) => name)
const chosen = databases.filter((name) => values.database === 'both' || values.database === name)
const isKnown = names.every((name) => attacks.some((attack) => attack.name === name)) && chosen.length > 0
if (!canMeasureProcesses || values.help || !isKnown) {
  console.error(canMeasureProcesses ? usage : 'The attacks read /proc, so they need Linux.')
  process.exit(values.help ? 0 : 2)
}

exitOnSignals()
let isBroken = false
for (const kind of chosen) {
  console.log(`\n${names.length} attacks on the service with the database ${kind}:`)
  const postgres = kind === 'postgres' ? await startPostgres() : null
  try {
    const results = await runAttacks({
      database: postgres ? { kind: 'postgres', url: postgres.url } : { kind: 'embedded' },
      rounds: names.map((name) => [name]),
      scale: values.short ? shortScale : 1,
      leastSeconds: values.short ? 0 : leastSeconds,
      memoryGrowth: fullBars.memoryGrowth,
      memoryMilliseconds,
      aftermathMilliseconds,
      onResult: (result) => console.log(describeProgress(result, fullBars)),
    })
    console.log(`\n${describeResults(results, fullBars)}\n`)
    isBroken ||= results.some((result) => findBrokenBars(result, fullBars).length > 0)
  } finally {
    await postgres?.stop()
  }
}
console.log(isBroken ? 'Other organizations noticed an attack.' : 'Other organizations noticed nothing.')
process.exitCode = isBroken ? 1 : 0
