import { once } from 'node:events'
import { basename, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inParallel } from '@parley/stage/processes/in-parallel'
import { inTurns } from '@parley/stage/processes/in-turns'
import { cpuMicroseconds } from '@parley/stage/processes/process-usage'
import { compiledAfterSessions } from '@parley/stage/service/compiled-after'
import { startGreeter } from '@parley/stage/service/greeter'
import { type ParleyService, startParley } from '@parley/stage/service/parley-service'
import { type PostgresProcess, startPostgres } from '@parley/stage/service/postgres-process'
import { createTicket, makeSpeakingAgents } from '@parley/stage/service/speaking-agents'
import { describeTable } from '@parley/stage/terminal/table'
import WebSocket from 'ws'

export interface OpeningBenchOptions {
  readonly databases: readonly ('embedded' | 'postgres')[]
  /** Checkouts whose builds are measured alternately, for example of another version. */
  readonly folders: readonly string[]
  readonly rounds: number
  readonly sessions: number
}

/** Processor time per session, in milliseconds. */
interface Cost {
  readonly create: number
  readonly open: number
  readonly end: number
}

interface Lane {
  readonly name: string
  readonly parley: ParleyService
  readonly postgres: PostgresProcess | null
  readonly agentId: string
  readonly costs: Cost[]
}

const concurrency = 4
const model = 'gpt-realtime'

/**
 * Measures the processor time of the service to create, open and end a session, including all its threads.
 */
export async function runOpeningBench({
  databases,
  folders,
  rounds,
  sessions,
}: OpeningBenchOptions): Promise<void> {
  const provider = await startGreeter()
  const lanes: Lane[] = []
  for (const database of databases)
    for (const folder of folders) lanes.push(await startLane(database, folder, provider.url))
  const warmUps = Math.ceil(compiledAfterSessions / sessions)
  for (let round = -warmUps; round < rounds; round += 1)
    for (const lane of inTurns(round, lanes)) await measure(lane, sessions, round)
  const head = ['build, database', 'create ms', 'open ms', 'both ms', 'end ms']
  const rows = lanes.map(({ name, costs }) => {
    const [create, open, end] = (['create', 'open', 'end'] as const).map((step) =>
      median(costs.map((cost) => cost[step])),
    )
    return [name, ...[create, open, (create ?? 0) + (open ?? 0), end].map((cost) => (cost ?? 0).toFixed(2))]
  })
  console.log(
    `${rounds} rounds of ${sessions} sessions, ${concurrency} at a time, processor time of one session, median of the rounds`,
  )
  console.log(describeTable([head, ...rows]))
  for (const { parley, postgres } of lanes) {
    await parley.stop()
    await postgres?.stop()
  }
  provider.close()
}

async function startLane(
  database: 'embedded' | 'postgres',
  folder: string,
  providerUrl: string,
): Promise<Lane> {
  const postgres = database === 'postgres' ? await startPostgres() : null
  const parley = await startParley({
    program: pathToFileURL(resolve(folder, 'apps/server/dist/main.js')),
    env: {
      PARLEY_SECRET: 'a secret for the bench that is long enough',
      LOG_LEVEL: 'warn',
      ...(postgres && { DATABASE_URL: postgres.url }),
    },
  })
  const agents = await makeSpeakingAgents(parley.api, providerUrl, [model])
  const name = `${basename(resolve(folder))}, ${database}`
  return { name, parley, postgres, agentId: agents[model], costs: [] }
}

async function measure({ parley, agentId, costs }: Lane, sessions: number, round: number): Promise<void> {
  const used = () => cpuMicroseconds([parley.pid]) / sessions / 1000
  const before = used()
  const tickets = await inParallel(sessions, concurrency, () => createTicket(parley.api, agentId))
  const created = used()
  const sockets = await inParallel(sessions, concurrency, (index) =>
    open(parley.url, tickets[index]?.webSocketPath ?? ''),
  )
  const opened = used()
  await inParallel(sessions, concurrency, (index) => end(sockets[index]))
  const ended = used()
  if (round >= 0) costs.push({ create: created - before, open: opened - created, end: ended - opened })
}

/** Opens a session. Resolves after the provider's greeting. */
function open(url: string, path: string): Promise<WebSocket> {
  return new Promise((settle, reject) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`)
    socket.once('message', () => settle(socket))
    socket.once('error', reject)
  })
}

/** Closes a session. Resolves when the service has closed it too. */
async function end(socket: WebSocket | undefined): Promise<void> {
  const closed = socket && once(socket, 'close')
  socket?.close(1000)
  await closed
}

const median = (values: readonly number[]) =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
