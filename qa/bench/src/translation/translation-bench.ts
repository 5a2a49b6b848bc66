import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Agent, Connection } from '@parley/contract'
import { inTurns } from '@parley/stage/processes/in-turns'
import { cpuMicroseconds } from '@parley/stage/processes/process-usage'
import { openSession } from '@parley/stage/service/open-session'
import { type ParleyService, startParley } from '@parley/stage/service/parley-service'
import { createTicket } from '@parley/stage/service/speaking-agents'
import { spread } from '@parley/stage/terminal/figures'
import { describeTable } from '@parley/stage/terminal/table'
import { type WebSocket, WebSocketServer } from 'ws'
import { clientFrame, type StandIn, standIns } from './stand-ins.js'

const frameMilliseconds = 100
const settleMilliseconds = 1000

export interface TranslationOptions {
  readonly sessions: number
  readonly rounds: number
  readonly seconds: number
}

/** The sessions of one kind of provider. Both sides send at real-time pace while they talk. */
interface Lane {
  readonly name: string
  readonly senders: readonly { readonly socket: WebSocket; readonly frame: string }[]
  readonly received: () => number
  /** Processor time of a talking session, in milliseconds per second. One figure per round. */
  readonly costs: number[]
}

/** Measures the cost of a talking session for each kind of provider, beside one whose frames are relayed unparsed. */
export async function runTranslationBench({ sessions, rounds, seconds }: TranslationOptions): Promise<void> {
  const parley = await startParley({
    isBundled: true,
    env: {
      PARLEY_ORG_MAX_SESSIONS: '10000',
      PARLEY_REALTIME_IDLE_TIMEOUT_SECONDS: '3600',
      LOG_LEVEL: 'warn',
    },
  })
  const providers: WebSocketServer[] = []
  try {
    const lanes: Lane[] = []
    for (const standIn of standIns) {
      const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
      providers.push(server)
      lanes.push(await openLane(parley, { standIn, server, sessions }))
      console.log(`  ${sessions} sessions of ${standIn.name} are open`)
    }
    // Round 0 includes compilation.
    for (let round = 0; round <= rounds; round += 1)
      for (const lane of inTurns(round, lanes)) {
        const cost = await measure(parley, lane, seconds)
        if (round > 0) lane.costs.push(cost)
      }
    console.log(describe(lanes))
  } finally {
    await parley.stop()
    for (const server of providers) server.close()
  }
}

interface LaneParts {
  readonly standIn: StandIn
  readonly server: WebSocketServer
  readonly sessions: number
}

async function openLane(
  { api, url }: ParleyService,
  { standIn, server, sessions }: LaneParts,
): Promise<Lane> {
  await once(server, 'listening')
  const { name, kind, model, confirmations, opening, audio } = standIn
  const frame = JSON.stringify(audio)
  const senders: { readonly socket: WebSocket; readonly frame: string }[] = []
  server.on('connection', (socket) => {
    socket.once('message', () => {
      for (const event of [...confirmations, ...opening]) socket.send(JSON.stringify(event))
    })
    senders.push({ socket, frame })
  })
  const { port } = server.address() as AddressInfo
  const connection = await api.call<Connection>('POST', '/api/v1/Connection', {
    name,
    kind,
    baseUrl: `http://127.0.0.1:${port}`,
    apiKey: 'sk-bench',
    models: { chat: 'bench', realtime: [model] },
  })
  const body = { name, systemMessage: 'You speak.', connectionId: connection.id }
  const agent = await api.call<Agent>('POST', '/api/v1/Agent', body)
  let received = 0
  for (let count = 0; count < sessions; count += 1) {
    const { webSocketPath } = await createTicket(api, agent.id)
    const opened = await openSession(url, webSocketPath)
    if (!opened.ok) throw new Error(`A session of ${name} did not open: ${opened.reason}`)
    opened.socket.on('message', (data: Buffer) => {
      if (data.length > frame.length / 2) received += 1
    })
    senders.push({ socket: opened.socket, frame: clientFrame })
  }
  return { name, senders, received: () => received, costs: [] }
}

async function measure({ pid }: ParleyService, { name, senders, received }: Lane, seconds: number) {
  const pace = setInterval(() => {
    for (const { socket, frame } of senders) socket.send(frame)
  }, frameMilliseconds)
  await sleep(settleMilliseconds)
  const [cpu, startedAt, before] = [cpuMicroseconds([pid]), performance.now(), received()]
  await sleep(seconds * 1000)
  const elapsedSeconds = (performance.now() - startedAt) / 1000
  const cost = (cpuMicroseconds([pid]) - cpu) / 1000 / elapsedSeconds / (senders.length / 2)
  const expected = (elapsedSeconds * 1000 * senders.length) / 2 / frameMilliseconds
  clearInterval(pace)
  await sleep(settleMilliseconds)
  if (received() - before < expected / 2)
    throw new Error(`Clients of ${name} did not receive the model's audio.`)
  return cost
}

function describe(lanes: readonly Lane[]): string {
  const relayed = lanes[0]?.costs ?? []
  const rows = lanes.map(({ name, costs }) => [
    name,
    spread(costs),
    spread(costs.map((cost, round) => cost / (relayed[round] ?? Number.NaN))),
  ])
  return `\n${describeTable([['provider', 'CPU ms/s a session', 'x relayed'], ...rows])}\n`
}
