import { setTimeout as wait } from 'node:timers/promises'
import { inParallel } from '@parley/stage/processes/in-parallel'
import { startParley } from '@parley/stage/service/parley-service'
import { startPostgres } from '@parley/stage/service/postgres-process'
import { describeTable } from '@parley/stage/terminal/table'
import { type Receivers, startReceivers } from './receivers.js'

export interface WebhookBenchOptions {
  readonly databases: readonly ('embedded' | 'postgres')[]
  /** All deliveries: each event goes to every receiver. */
  readonly deliveries: number
  readonly receivers: number
  readonly hanging: number
}

const callerConcurrency = 8
const giveUpMilliseconds = 300_000

/** Measures how soon receivers get events while some of them hang. */
export async function runWebhookBench({ databases, ...options }: WebhookBenchOptions): Promise<void> {
  const rows: string[][] = []
  for (const database of databases) {
    const postgres = database === 'postgres' ? await startPostgres() : null
    const env = { PARLEY_SECRET: 'a secret for the bench that is long enough', LOG_LEVEL: 'warn' }
    const parley = await startParley({ env: { ...env, ...(postgres && { DATABASE_URL: postgres.url }) } })
    const receivers = await startReceivers(options.hanging)
    rows.push([database, ...(await measure(parley.api, receivers, options))])
    receivers.close()
    await parley.stop()
    await postgres?.stop()
  }
  const head = [
    'database',
    'events',
    'taken',
    'made in s',
    'all taken s later',
    'p50 ms',
    'p99 ms',
    'at hanging ones',
  ]
  console.log(describeTable([head, ...rows]))
}

async function measure(
  api: Awaited<ReturnType<typeof startParley>>['api'],
  receivers: Receivers,
  { deliveries, receivers: count, hanging }: Omit<WebhookBenchOptions, 'databases'>,
): Promise<string[]> {
  for (let index = 0; index < count; index += 1)
    await api.call('POST', '/api/v1/Webhook', {
      name: `Receiver ${index}`,
      url: receivers.urlOf(index),
      events: ['task.created'],
    })
  const events = Math.ceil(deliveries / count)
  const madeAt = new Map<string, number>()
  const begin = performance.now()
  await inParallel(events, callerConcurrency, async () => {
    const { id } = await api.call<{ readonly id: string }>('POST', '/api/v1/Task', {
      title: 'Water the plants',
    })
    madeAt.set(id, performance.now())
  })
  const made = performance.now()
  const working = Array.from({ length: count - hanging }, (_, index) => hanging + index)
  const takenCount = () => working.reduce((sum, index) => sum + receivers.takenBy(index).length, 0)
  while (takenCount() < working.length * events) {
    if (performance.now() - made > giveUpMilliseconds)
      throw new Error(
        `After five minutes ${takenCount()} of ${working.length * events} deliveries were accepted.`,
      )
    await wait(20)
  }
  const all = performance.now()
  const latencies = working
    .flatMap((index) => receivers.takenBy(index).map(({ taskId, at }) => at - (madeAt.get(taskId) ?? at)))
    .sort((one, other) => one - other)
  const percentile = (share: number) => Math.round(latencies[Math.floor(latencies.length * share)] ?? 0)
  return [
    ...[events, latencies.length, ((made - begin) / 1000).toFixed(1), ((all - made) / 1000).toFixed(1)],
    ...[percentile(0.5), percentile(0.99), receivers.hangingCount()],
  ].map(String)
}
