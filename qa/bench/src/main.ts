import { exitOnSignals } from '@parley/stage/processes/kept-child'
import { canMeasureProcesses } from '@parley/stage/processes/process-usage'
import { readArguments } from '@parley/stage/terminal/read-arguments'
import { runHandoverBench } from './handover/handover-bench.js'
import { runOpeningBench } from './opening/opening-bench.js'
import { plannedBenches, type Selection, slowBenches } from './planned-benches.js'
import { readReport, usualReportFile } from './report/bench-report.js'
import { pageFile, writePerformancePage } from './report/performance-page.js'
import { runPlan } from './run-plan.js'
import { runScaleBench } from './scale/scale-bench.js'
import { runTelephoneBench } from './telephone/telephone-bench.js'
import { runThroughputBench } from './throughput/throughput-bench.js'
import { runTranslationBench } from './translation/translation-bench.js'
import { runUsageBench } from './usage/usage-bench.js'
import { runVoiceBench } from './voice/voice-bench.js'
import { runWebhookBench } from './webhooks/webhook-bench.js'

const usage = `npm run bench -- [--quick] [--json FILE] [--docs]
  runs relay, sessions, rest, text, growth and engine in about 35 minutes, or without engine in 6 with --quick. --docs writes docs/internals/performance.md afterwards
npm run bench docs -- [--json FILE]
  writes docs/internals/performance.md from the last complete run, or from FILE

npm run bench relay -- [--scenario 100,20ms,event-id,burst,400,400-half,1000,tls] [--max-messages 20000] [--rounds 5] [--seconds 2] [--quick] [--json FILE]
npm run bench sessions -- [--database embedded|postgres] [--sessions 300] [--rounds 2] [--seconds 4] [--quick] [--json FILE]
npm run bench rest -- [--rounds 4] [--seconds 1.5] [--quick] [--json FILE]
npm run bench text -- [--rounds 4] [--readers 200] [--quick] [--json FILE]
npm run bench growth -- [--rounds 3] [--quick] [--json FILE]
npm run bench engine -- [--sessions 1,2,4,8,16,32] [--turns 12] [--runtime native|wasm] [--json FILE]

npm run bench voice -- [--starts 12] [--seconds 5]
npm run bench webhooks -- [--deliveries 10000] [--database embedded|postgres]
npm run bench usage -- [--records 1000000] [--embedded-records 100000]
npm run bench scale -- [--instances 20] [--sessions 20000] [--seconds 5]
npm run bench opening -- [--database embedded|postgres] [--rounds 6] [--sessions 100] [--beside FOLDER]
npm run bench handover -- [--sessions 1000] [--doubled 50]
npm run bench throughput -- [--sessions 200] [--rate 10] [--rounds 6] [--seconds 5]
npm run bench telephone -- [--turns 50] [--engine-turns 12]
npm run bench translation -- [--sessions 30] [--rounds 6] [--seconds 5]`

const args = process.argv.slice(2)
const { positionals, values } = readArguments(usage, {
  args,
  allowPositionals: true,
  options: {
    help: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    json: { type: 'string' },
    docs: { type: 'boolean', default: false },
    scenario: { type: 'string' },
    sessions: { type: 'string' },
    rate: { type: 'string' },
    'max-messages': { type: 'string' },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    readers: { type: 'string', default: '200' },
    turns: { type: 'string' },
    'engine-turns': { type: 'string', default: '12' },
    runtime: { type: 'string' },
    starts: { type: 'string', default: '12' },
    deliveries: { type: 'string', default: '10000' },
    database: { type: 'string' },
    instances: { type: 'string', default: '20' },
    records: { type: 'string', default: '1000000' },
    beside: { type: 'string' },
    doubled: { type: 'string', default: '50' },
    'embedded-records': { type: 'string', default: '100000' },
  },
})

const rounds = Number(values.rounds ?? '6')
const seconds = Number(values.seconds ?? '5')
const databases = (['embedded', 'postgres'] as const).filter((name) => name === (values.database ?? name))

/** Benches that answer one question each and print it only to the terminal. */
const otherBenches: Readonly<Record<string, () => Promise<void>>> = {
  docs: () => writeDocs(values.json ?? usualReportFile),
  webhooks: () =>
    runWebhookBench({ databases, deliveries: Number(values.deliveries), receivers: 20, hanging: 5 }),
  opening: () =>
    runOpeningBench({
      databases,
      folders: [...(values.beside === undefined ? [] : [values.beside]), '.'],
      rounds,
      sessions: Number(values.sessions ?? '100'),
    }),
  handover: async () => {
    const isWhole = await runHandoverBench({
      sessions: Number(values.sessions ?? '1000'),
      doubled: Number(values.doubled),
    })
    process.exitCode = isWhole ? 0 : 1
  },
  throughput: async () => {
    const isWithinTarget = await runThroughputBench({
      sessions: Number(values.sessions ?? '200'),
      // One frame per 100 ms of audio.
      framesPerSecond: Number(values.rate ?? '10'),
      rounds,
      seconds,
    })
    process.exitCode = isWithinTarget ? 0 : 1
  },
  telephone: async () => {
    const isWithinTarget = await runTelephoneBench({
      turns: Number(values.turns ?? '50'),
      engineTurns: Number(values['engine-turns']),
    })
    process.exitCode = isWithinTarget ? 0 : 1
  },
  translation: () => runTranslationBench({ sessions: Number(values.sessions ?? '30'), rounds, seconds }),
  usage: () =>
    runUsageBench({ records: Number(values.records), embeddedRecords: Number(values['embedded-records']) }),
  scale: () =>
    runScaleBench({
      instances: Number(values.instances),
      sessions: Number(values.sessions ?? '20000'),
      seconds,
    }),
  voice: () => runVoiceBench({ starts: Number(values.starts), seconds }),
}

/** Runs the named benches, or all. */
async function runPlanned(names: readonly string[]): Promise<void> {
  const isWhole = names.length === 0
  const all = Object.keys(plannedBenches).filter((name) => !values.quick || !slowBenches.includes(name))
  const chosen = isWhole ? all : names
  const benches = chosen.flatMap((name) => plannedBenches[name]?.(selectionOf(isWhole)) ?? [])
  // A partial report must not replace the complete one.
  const file = values.json ?? (isWhole ? usualReportFile : null)
  const { report, failed } = await runPlan(benches, { command: args.join(' '), file })
  if (failed.length > 0) process.exitCode = 1
  if (values.docs && file !== null && report.rows.length > 0) await writeDocs(file)
}

function selectionOf(isWhole: boolean): Selection {
  const number = (text: string | undefined) => (text === undefined ? undefined : Number(text))
  return {
    isQuick: values.quick,
    isWhole,
    rounds: number(values.rounds),
    seconds: number(values.seconds),
    scenarios: values.scenario?.split(','),
    sessions: values.sessions?.split(',').map(Number),
    maxMessages: number(values['max-messages']) ?? Number.POSITIVE_INFINITY,
    readers: Number(values.readers),
    turns: Number(values.turns ?? '12'),
    runtimes: (['native', 'wasm'] as const).filter((name) => name === (values.runtime ?? name)),
    database: values.database,
  }
}

async function writeDocs(file: string): Promise<void> {
  await writePerformancePage(await readReport(file))
  console.log(`Wrote ${pageFile} from ${file}.`)
}

const other = otherBenches[positionals[0] ?? '']
const isKnown = other !== undefined || positionals.every((name) => Object.hasOwn(plannedBenches, name))
if (values.help) {
  console.log(usage)
  process.exit(0)
}
if (!canMeasureProcesses || !isKnown) {
  console.error(canMeasureProcesses ? usage : 'The bench reads /proc, so it needs Linux.')
  process.exit(2)
}
exitOnSignals()
await (other === undefined ? runPlanned(positionals) : other())
