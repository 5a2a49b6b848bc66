import { exitOnSignals } from '@parley/stage/processes/kept-child'
import { canMeasureProcesses } from '@parley/stage/processes/process-usage'
import { startPostgres } from '@parley/stage/service/postgres-process'
import { readArguments } from '@parley/stage/terminal/read-arguments'
import { describeTable } from '@parley/stage/terminal/table'
import { findFaults, fullBars } from './audit/audit-faults.js'
import { type AuditFigures, runAudit } from './audit/audit-run.js'

const usage =
  'npm run bench:audit -- [--database embedded|postgres|both] [--records 1000000] [--embedded-records 100000]'

const { values } = readArguments(usage, {
  options: {
    database: { type: 'string', default: 'both' },
    records: { type: 'string', default: '1000000' },
    'embedded-records': { type: 'string', default: '100000' },
    help: { type: 'boolean', default: false },
  },
})

if (!canMeasureProcesses || values.help) {
  console.error(canMeasureProcesses ? usage : 'This bench reads /proc, so it needs Linux.')
  process.exit(values.help ? 0 : 2)
}
exitOnSignals()

const common = { measuresMemory: true, onStep: (step: string) => console.log(`  ${step}`) } as const
const results: (readonly [database: string, AuditFigures])[] = []
if (values.database !== 'postgres') {
  const records = Number(values['embedded-records'])
  results.push(['embedded', await runAudit({ ...common, database: { kind: 'embedded' }, records })])
}
if (values.database !== 'embedded') {
  const postgres = await startPostgres()
  const database = { kind: 'postgres', url: postgres.url } as const
  results.push(['PostgreSQL', await runAudit({ ...common, database, records: Number(values.records) })])
  await postgres.stop()
}

const rows = results.map(([name, { records, sealedSeconds, exported, verified, offline }]) => [
  ...[name, String(records), sealedSeconds.toFixed(1)],
  ...[exported.seconds.toFixed(1), exported.cpuSeconds.toFixed(1), exported.fileMegabytes.toFixed(0)],
  ...[exported.megabytes.toFixed(0), verified.seconds.toFixed(1), verified.cpuSeconds.toFixed(1)],
  ...[verified.megabytes.toFixed(0), offline.seconds.toFixed(1)],
])
const columns = [
  ...['database', 'records', 'sealed s', 'export s', 'CPU s', 'file MB', 'memory MB'],
  ...['verify s', 'CPU s', 'memory MB', 'offline s'],
]
console.log(`\n${describeTable([columns, ...rows])}\n`)
const faults = results.flatMap(([name, figures]) =>
  findFaults(figures, fullBars).map((fault) => `${name}: ${fault}`),
)
for (const fault of faults) console.log(`  ✗ ${fault}`)
process.exitCode = faults.length === 0 ? 0 : 1
