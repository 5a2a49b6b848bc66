import { parseArgs } from 'node:util'
import { runEngineBench } from './engine/engine-bench.js'
import { runGrowthBench } from './growth/growth-bench.js'
import { runHandoverBench } from './handover/handover-bench.js'
import { runOpeningBench } from './opening/opening-bench.js'
import { exitOnSignals } from './processes/kept-child.js'
import { canMeasureProcesses } from './processes/process-usage.js'
import { runRelayBench } from './relay/relay-bench.js'
import { runRestBench } from './rest/rest-bench.js'
import { runSessionsBench } from './sessions/sessions-bench.js'
import { runTextBench } from './text/text-bench.js'
import { runThroughputBench } from './throughput/throughput-bench.js'
import { runUsageBench } from './usage/usage-bench.js'
import { runVoiceBench } from './voice/voice-bench.js'
import { runWebhookBench } from './webhooks/webhook-bench.js'

const usage = `npm run bench relay -- [--sessions 100,400] [--rate 25] [--max-messages 10000] [--rounds 6] [--seconds 5]
npm run bench rest -- [--rounds 6] [--seconds 5]
npm run bench text -- [--rounds 6] [--readers 200]
npm run bench engine -- [--sessions 1,2,4,8,16,32] [--turns 12] [--runtime native|wasm]
npm run bench voice -- [--starts 12] [--seconds 5]
npm run bench webhooks -- [--deliveries 10000] [--database embedded|postgres]
npm run bench usage -- [--records 1000000] [--embedded-records 100000]
npm run bench opening -- [--database embedded|postgres] [--rounds 6] [--sessions 100] [--beside FOLDER]
npm run bench handover -- [--sessions 1000] [--doubled 50]
npm run bench throughput -- [--sessions 200] [--rate 10] [--rounds 6] [--seconds 5]
npm run bench sessions -- [--database embedded|postgres] [--sessions 400] [--seconds 5]
npm run bench growth -- [--rounds 6]`

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    sessions: { type: 'string' },
    rate: { type: 'string' },
    'max-messages': { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '6' },
    seconds: { type: 'string', default: '5' },
    readers: { type: 'string', default: '200' },
    turns: { type: 'string', default: '12' },
    runtime: { type: 'string' },
    starts: { type: 'string', default: '12' },
    deliveries: { type: 'string', default: '10000' },
    database: { type: 'string' },
    records: { type: 'string', default: '1000000' },
    beside: { type: 'string' },
    doubled: { type: 'string', default: '50' },
    'embedded-records': { type: 'string', default: '100000' },
  },
})

const benches: Readonly<Record<string, () => Promise<void>>> = {
  relay: () =>
    runRelayBench({
      sessions: sessionCounts('100,400'),
      framesPerSecond: Number(values.rate ?? '25'),
      maxMessagesPerSecond: Number(values['max-messages']),
      rounds: Number(values.rounds),
      measureSeconds: Number(values.seconds),
    }),
  rest: () => runRestBench({ rounds: Number(values.rounds), seconds: Number(values.seconds) }),
  text: () => runTextBench({ rounds: Number(values.rounds), readers: Number(values.readers) }),
  engine: async () => {
    const isWithinTargets = await runEngineBench({
      runtimes: (['native', 'wasm'] as const).filter((name) => name === (values.runtime ?? name)),
      sessions: sessionCounts('1,2,4,8,16,32'),
      turns: Number(values.turns),
    })
    process.exitCode = isWithinTargets ? 0 : 1
  },
  webhooks: () =>
    runWebhookBench({
      databases: (['embedded', 'postgres'] as const).filter((name) => name === (values.database ?? name)),
      deliveries: Number(values.deliveries),
      receivers: 20,
      hanging: 5,
    }),
  opening: () =>
    runOpeningBench({
      databases: (['embedded', 'postgres'] as const).filter((name) => name === (values.database ?? name)),
      folders: [...(values.beside === undefined ? [] : [values.beside]), '.'],
      rounds: Number(values.rounds),
      sessions: Number(values.sessions ?? '100'),
    }),
  sessions: () =>
    runSessionsBench({
      databases: (['embedded', 'postgres'] as const).filter((name) => name === (values.database ?? name)),
      sessions: Number(values.sessions ?? '400'),
      seconds: Number(values.seconds),
    }),
  growth: () => runGrowthBench({ rounds: Number(values.rounds) }),
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
      // As many as there are pieces of 100 ms in a second of sound.
      framesPerSecond: Number(values.rate ?? '10'),
      rounds: Number(values.rounds),
      seconds: Number(values.seconds),
    })
    process.exitCode = isWithinTarget ? 0 : 1
  },
  usage: () =>
    runUsageBench({ records: Number(values.records), embeddedRecords: Number(values['embedded-records']) }),
  voice: () => runVoiceBench({ starts: Number(values.starts), seconds: Number(values.seconds) }),
}

function sessionCounts(usual: string): number[] {
  return (values.sessions ?? usual).split(',').map(Number)
}

const bench = benches[positionals[0] ?? 'relay']
if (!canMeasureProcesses || bench === undefined) {
  console.error(canMeasureProcesses ? usage : 'The bench reads /proc, so it needs Linux.')
  process.exit(2)
}
exitOnSignals()
await bench()
