import { exitOnSignals } from '@parley/stage/processes/kept-child'
import { canMeasureProcesses } from '@parley/stage/processes/process-usage'
import { readArguments } from '@parley/stage/terminal/read-arguments'
import { runAudioSoak } from './audio-soak.js'
import { scenarios } from './scenarios.js'
import { runSoak } from './soak-run.js'
import { describeSnapshots, findFaults } from './verdict.js'

const usage = `npm run soak -- [--sessions 10000] [--parallel 40]
npm run soak audio -- [--minutes 20]`

const { positionals, values } = readArguments(usage, {
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: '20' },
    sessions: { type: 'string', default: '10000' },
    parallel: { type: 'string', default: '40' },
  },
})

if (!canMeasureProcesses) {
  console.error('The soak reads /proc, so it needs Linux.')
  process.exit(2)
}
exitOnSignals()
const isFlat = positionals[0] === 'audio' ? await runAudioSoak(Number(values.minutes)) : await soakSessions()
process.exitCode = isFlat ? 0 : 1

async function soakSessions(): Promise<boolean> {
  const sessions = Number(values.sessions)
  console.log(
    `${sessions} sessions that end in ${scenarios.length} ways, after ${sessions / 10} warm-up sessions:`,
  )
  for (const { name } of scenarios) console.log(`  - ${name}`)
  const startedAt = performance.now()
  const outcome = await runSoak({ sessions, concurrency: Number(values.parallel) })
  const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1)
  const faults = findFaults(outcome)
  console.log(`\n${describeSnapshots(outcome)}\n`)
  for (const fault of faults) console.log(`  ✗ ${fault}`)
  console.log(
    faults.length === 0
      ? `Flat: ${sessions} sessions left nothing behind. (${minutes} minutes)`
      : `Not flat. (${minutes} minutes)`,
  )
  return faults.length === 0
}
