import { exitOnSignals } from '@parley/stage/processes/kept-child'
import { startPostgres } from '@parley/stage/service/postgres-process'
import { readArguments } from '@parley/stage/terminal/read-arguments'
import { describeKills, findKillFaults } from './kill-report.js'
import { type KillMode, type KillResult, runKills } from './kill-run.js'

const databases = ['embedded', 'postgres'] as const
const modes: readonly KillMode[] = ['endpoint', 'random']

const usage = `npm run kill -- [--kills 50] [--seed N] [--database embedded|postgres|both] [--from endpoint|random|both]`

const { values } = readArguments(usage, {
  options: {
    kills: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    database: { type: 'string', default: 'both' },
    from: { type: 'string', default: 'both' },
    help: { type: 'boolean', default: false },
  },
})

const kills = Number(values.kills)
const seed = Number(values.seed)
const chosen = databases.filter((name) => values.database === 'both' || values.database === name)
const chosenModes = modes.filter((name) => values.from === 'both' || values.from === name)
const isKnown = kills > 0 && Number.isInteger(seed) && chosen.length > 0 && chosenModes.length > 0
if (values.help || !isKnown) {
  console.error(usage)
  process.exit(values.help ? 0 : 2)
}

exitOnSignals()
const results: KillResult[] = []
for (const kind of chosen)
  for (const mode of chosenModes) {
    const postgres = kind === 'postgres' ? await startPostgres() : null
    console.log(`\nThe service with the database ${kind} is killed ${kills} times, by ${mode}, seed ${seed}.`)
    try {
      const result = await runKills({
        database: postgres ? { kind: 'postgres', url: postgres.url } : { kind: 'embedded' },
        mode,
        kills,
        seed,
        onProgress: (line) => void (process.stdout.isTTY && process.stdout.write(`\r  ${line} `)),
      })
      results.push(result)
      for (const fault of findKillFaults(result)) console.log(`  ✗ ${fault}`)
    } finally {
      await postgres?.stop()
    }
  }
console.log(`\n${describeKills(results)}\n`)
const isBroken = results.some((result) => findKillFaults(result).length > 0)
console.log(
  isBroken ? 'A step ran twice or was not reported.' : 'Every task ended once, and no step ran twice.',
)
process.exitCode = isBroken ? 1 : 0
