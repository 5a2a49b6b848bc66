import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import WebSocket from 'ws'
import { inParallel } from '../processes/in-parallel.js'
import { cpuMicroseconds, residentBytes } from '../processes/process-usage.js'
import { clientFrame, providerFrame } from '../relay/frames.js'
import { Latencies } from '../relay/latencies.js'
import { type Greeter, startGreeter } from '../service/greeter.js'
import { collectGarbage } from '../service/inspector.js'
import { type ParleyService, startParley } from '../service/parley-service.js'
import { startPostgres } from '../service/postgres-process.js'
import { createTicket, makeSpeakingAgents } from '../service/speaking-agents.js'
import { describeTable } from '../terminal/table.js'

export interface SessionsBenchOptions {
  readonly databases: readonly ('embedded' | 'postgres')[]
  readonly sessions: number
  /** How long all of them talk. */
  readonly seconds: number
}

/** What one of many steps took. */
interface StepCost {
  readonly cpuMilliseconds: number
  readonly p50: number
  readonly p99: number
}

interface SessionCosts {
  readonly created: StepCost
  readonly opened: StepCost
  readonly idleKilobytes: number
  readonly talkingKilobytes: number
}

interface Stage {
  readonly parley: ParleyService
  readonly provider: Greeter
  readonly agentId: string
}

const model = 'gpt-realtime'
const atOnce = 4
const warmUpSessions = 100
/** Of each side of each session. */
const framesPerSecond = 5

/** What a session costs: created, opened, kept open, and while both of its sides talk. */
export async function runSessionsBench({ databases, ...options }: SessionsBenchOptions): Promise<void> {
  const head = ['database', 'create CPU ms', 'p50 ms', 'p99 ms', 'open CPU ms', 'p50 ms', 'p99 ms']
  const rows = [[...head, 'idle KiB', 'talking KiB']]
  for (const database of databases) {
    const { created, opened, idleKilobytes, talkingKilobytes } = await measureOn(database, options)
    const figures = [created, opened].flatMap(({ cpuMilliseconds, p50, p99 }) => [cpuMilliseconds, p50, p99])
    rows.push([
      database,
      ...figures.map((figure) => figure.toFixed(2)),
      ...[idleKilobytes, talkingKilobytes].map((kilobytes) => kilobytes.toFixed(0)),
    ])
  }
  console.log(
    `${options.sessions} sessions, ${atOnce} at a time; then all talk, ${framesPerSecond} frames a second each way`,
  )
  console.log(describeTable(rows))
}

async function measureOn(
  database: 'embedded' | 'postgres',
  options: Omit<SessionsBenchOptions, 'databases'>,
): Promise<SessionCosts> {
  const provider = await startGreeter()
  const postgres = database === 'postgres' ? await startPostgres() : null
  const parley = await startParley({
    isBundled: true,
    nodeOptions: ['--inspect=127.0.0.1:0'],
    env: {
      PARLEY_SECRET: 'a secret for the bench that is long enough',
      LOG_LEVEL: 'warn',
      PARLEY_ORG_MAX_SESSIONS: '10000',
      ...(postgres && { DATABASE_URL: postgres.url }),
    },
  })
  const agents = await makeSpeakingAgents(parley.api, provider.url, [model])
  try {
    return await measure({ parley, provider, agentId: agents[model] }, options)
  } finally {
    await parley.stop()
    await postgres?.stop()
    provider.close()
  }
}

async function measure(
  { parley, provider, agentId }: Stage,
  { sessions, seconds }: Omit<SessionsBenchOptions, 'databases'>,
): Promise<SessionCosts> {
  const create = () => createTicket(parley.api, agentId)
  const open = ({ webSocketPath }: { readonly webSocketPath: string }) => openOne(parley.url, webSocketPath)
  // The first ones pay for what is compiled when it is first used.
  for (const socket of await inParallel(warmUpSessions, atOnce, async () => open(await create())))
    await closed(socket)
  const before = await heldBytes(parley)
  const { results: tickets, cost: created } = await timed(parley, sessions, create)
  const { results: sockets, cost: opened } = await timed(parley, sessions, (index) => {
    const ticket = tickets[index]
    if (ticket === undefined) throw new Error('A session has no ticket.')
    return open(ticket)
  })
  const idle = await heldBytes(parley)
  await talk(sockets, provider, seconds)
  const talking = residentBytes([parley.pid])
  for (const socket of sockets) await closed(socket)
  const kilobytesEach = (bytes: number) => (bytes - before) / sessions / 1024
  return { created, opened, idleKilobytes: kilobytesEach(idle), talkingKilobytes: kilobytesEach(talking) }
}

async function timed<Result>(
  { pid }: ParleyService,
  count: number,
  step: (index: number) => Promise<Result>,
): Promise<{ readonly results: Result[]; readonly cost: StepCost }> {
  const latencies = new Latencies()
  const before = cpuMicroseconds([pid])
  const results = await inParallel(count, atOnce, async (index) => {
    const startedAt = performance.now()
    const result = await step(index)
    latencies.add((performance.now() - startedAt) * 1000)
    return result
  })
  const cpuMilliseconds = (cpuMicroseconds([pid]) - before) / count / 1000
  return {
    results,
    cost: { cpuMilliseconds, p50: latencies.percentile(0.5), p99: latencies.percentile(0.99) },
  }
}

/** Open once the provider's greeting has come. */
async function openOne(url: string, path: string): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`)
  await once(socket, 'message')
  return socket
}

async function closed(socket: WebSocket): Promise<void> {
  socket.close(1000)
  await once(socket, 'close')
}

async function heldBytes({ inspectorUrl, pid }: ParleyService): Promise<number> {
  await collectGarbage(inspectorUrl ?? '')
  return residentBytes([pid])
}

async function talk(clients: readonly WebSocket[], provider: Greeter, seconds: number): Promise<void> {
  for (let pass = 0; pass < seconds * framesPerSecond; pass += 1) {
    const dueAt = performance.now() + 1000 / framesPerSecond
    for (const socket of clients) socket.send(clientFrame.make(), { binary: false })
    for (const socket of provider.sockets) socket.send(providerFrame.make(), { binary: false })
    await sleep(Math.max(0, dueAt - performance.now()))
  }
}
