import { parseArgs } from 'node:util'
import { exitOnSignals } from './processes/kept-child.js'
import { canMeasureProcesses } from './processes/process-usage.js'
import { runRelayBench } from './relay/relay-bench.js'

const usage = `npm run bench relay -- [--sessions 100,400] [--rate 25] [--max-messages 10000] [--rounds 6] [--seconds 5]`

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    sessions: { type: 'string', default: '100,400' },
    rate: { type: 'string', default: '25' },
    'max-messages': { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '6' },
    seconds: { type: 'string', default: '5' },
  },
})

if (!canMeasureProcesses || (positionals[0] ?? 'relay') !== 'relay') {
  console.error(canMeasureProcesses ? usage : 'The bench reads /proc, so it needs Linux.')
  process.exit(2)
}
exitOnSignals()
await runRelayBench({
  sessions: values.sessions.split(',').map(Number),
  framesPerSecond: Number(values.rate),
  maxMessagesPerSecond: Number(values['max-messages']),
  rounds: Number(values.rounds),
  measureSeconds: Number(values.seconds),
})
