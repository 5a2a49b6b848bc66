import { basename, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import WebSocket from 'ws'
import { inParallel } from '../processes/in-parallel.js'
import { cpuMicroseconds } from '../processes/process-usage.js'
import { startGreeter } from '../service/greeter.js'
import { type ParleyService, startParley } from '../service/parley-service.js'
import { type PostgresProcess, startPostgres } from '../service/postgres-process.js'
import { createTicket, makeSpeakingAgents } from '../service/speaking-agents.js'
import { describeTable } from '../terminal/table.js'

export interface OpeningBenchOptions {
  readonly databases: readonly ('embedded' | 'postgres')[]
  /** Checkouts whose builds are measured in turns, such as that of another version. */
  readonly folders: readonly string[]
  readonly rounds: number
  /** In each round. */
  readonly sessions: number
}

interface Lane {
  readonly name: string
  readonly parley: ParleyService
  readonly postgres: PostgresProcess | null
  readonly agentId: string
  readonly createCosts: number[]
  readonly openCosts: number[]
}

const atOnce = 4
const model = 'gpt-realtime'

/** What it costs the service to create a session, and to open and end one: processor time of all its threads. */
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
  // The first ones pay for what is compiled when it is first used.
  for (let round = -1; round < rounds; round += 1)
    for (const lane of lanes) await measure(lane, sessions, round)
  const head = ['build, database', 'create ms', 'open and end ms', 'both ms']
  const rows = lanes.map(({ name, createCosts, openCosts }) => {
    const [create, open] = [median(createCosts), median(openCosts)]
    return [name, ...[create, open, create + open].map((cost) => cost.toFixed(2))]
  })
  console.log(
    `${rounds} rounds of ${sessions} sessions, ${atOnce} at a time; processor time of one, median of rounds`,
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
    program: pathToFileURL(resolve(folder, 'server/dist/main.js')),
    env: {
      PARLEY_SECRET: 'a secret for the bench that is long enough',
      LOG_LEVEL: 'warn',
      PARLEY_ORG_MAX_SESSIONS: '10000',
      ...(postgres && { DATABASE_URL: postgres.url }),
    },
  })
  const agents = await makeSpeakingAgents(parley.api, providerUrl, [model])
  const name = `${basename(resolve(folder))}, ${database}`
  return { name, parley, postgres, agentId: agents[model], createCosts: [], openCosts: [] }
}

async function measure(
  { parley, agentId, createCosts, openCosts }: Lane,
  sessions: number,
  round: number,
): Promise<void> {
  const used = () => cpuMicroseconds([parley.pid])
  const before = used()
  const tickets = await inParallel(sessions, atOnce, () => createTicket(parley.api, agentId))
  const created = used()
  await inParallel(sessions, atOnce, (index) => openAndEnd(parley.url, tickets[index]?.webSocketPath ?? ''))
  const ended = used()
  if (round < 0) return
  createCosts.push((created - before) / sessions / 1000)
  openCosts.push((ended - created) / sessions / 1000)
}

/** Until the provider's greeting has come, and the socket has closed. */
function openAndEnd(url: string, path: string): Promise<void> {
  return new Promise((settle, reject) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`)
    socket.once('message', () => socket.close(1000))
    socket.once('close', () => settle())
    socket.once('error', reject)
  })
}

const median = (values: readonly number[]) =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
