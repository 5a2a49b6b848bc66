import { setImmediate } from 'node:timers/promises'
import { noCost } from '@parley/contract'
import { noTracing } from '#server/adapters/system/tracing.js'
import type { ProviderCandidate } from '#server/domain/realtime/opening/accept-session.js'
import { ConnectionBreaker } from '#server/domain/realtime/opening/connection-breaker.js'
import { RealtimeSession } from '#server/domain/realtime/session/session.js'
import { noUsage } from '#server/domain/realtime/usage.js'
import type { ProviderConnection, ProviderOpening } from '#server/ports/realtime-provider.js'
import type { RealtimeSessionRecord } from '#server/ports/realtime-stores.js'
import { noWorkMetrics } from '../no-work-metrics.js'
import { makeTestClock } from '../test-clock.js'
import { makeTestTimers } from '../test-timers.js'
import { MemoryDatabase } from './memory-database.js'
import { MemorySocket } from './memory-socket.js'
import { noTools } from './no-tools.js'
import { type Command, clientFrames, longAnswer, type Side } from './session-commands.js'
import { SessionWitness } from './session-witness.js'
import { type TurnPlan, TurnScript } from './turn-script.js'

/** Long enough for an available result to reach all waiting code, and no longer. */
async function promisesSettled(): Promise<void> {
  for (let link = 0; link < 10; link += 1) await null
}

const candidate: ProviderCandidate = {
  model: { connectionId: '', model: 'm', transcriptionModel: 't', voice: 'alloy' },
  models: {
    response: { connectionId: '', kind: 'openai', model: 'm' },
    transcription: { connectionId: '', kind: 'openai', model: 't' },
  },
  target: {
    ...{ organizationId: '', kind: 'openai', address: 'http://127.0.0.1', apiKey: null, model: 'm' },
    ...{ isFromEnvironment: false, voicedModel: null, backendModel: null },
  },
}

const sessionRecord: RealtimeSessionRecord = {
  id: '00000000-0000-7000-8000-000000000001',
  organizationId: '00000000-0000-7000-8000-000000000002',
  agentId: '00000000-0000-7000-8000-000000000003',
  conversationId: '00000000-0000-7000-8000-000000000004',
  version: 2,
  createdAt: '2030-01-01T00:00:00.000Z',
  updatedAt: '2030-01-01T00:00:00.000Z',
  state: 'consumed',
  tokenHash: '',
  expiresAt: '2030-01-01T00:01:00.000Z',
  startedAt: '2030-01-01T00:00:00.000Z',
  endedAt: null,
  endReason: null,
  endRequestedAt: null,
  instanceId: null,
  apiKeyId: null,
  usage: noUsage,
  cost: noCost,
  latency: null,
  setup: {
    accessMode: 'api',
    connectionId: '',
    model: 'm',
    transcriptionModel: 't',
    inputAudioFormat: 'pcm16',
    outputAudioFormat: 'pcm16',
    voice: 'alloy',
    instructions: '',
    tools: [],
    backendTools: [],
    agentName: 'Speaker',
  },
  rehearsal: false,
  endUserId: null,
  limitedId: null,
}

/** A session in memory with the model that checks it, and all of its input and output. */
export class SessionRun {
  readonly #timers = makeTestTimers()
  readonly #sockets: Record<Side, MemorySocket> = { client: new MemorySocket(), provider: new MemorySocket() }
  readonly #database: MemoryDatabase
  readonly #session: RealtimeSession
  readonly #scripts: readonly TurnScript[]
  readonly #witness: SessionWitness
  readonly #ignoresAbort: boolean
  #answerConnect: (connection: ProviderConnection) => void = () => undefined
  #connect: 'pending' | 'opened' | 'too late' | 'failed' = 'pending'
  #isDone = false

  /** A connection attempt that continues after the session has given it up. */
  constructor(plans: readonly TurnPlan[], refusals: number, ignoresAbort: boolean) {
    this.#ignoresAbort = ignoresAbort
    this.#database = new MemoryDatabase(refusals)
    this.#scripts = plans.map((plan, index) => new TurnScript(plan, index))
    this.#witness = new SessionWitness({
      sockets: this.#sockets,
      database: this.#database,
      scripts: this.#scripts,
    })
    const log = {
      debug: () => {},
      info: (fields: object) => this.#witness.noteEnd(fields),
      warn: () => {},
      error: () => {},
    }
    const outside = { database: this.#database, clock: makeTestClock(), timers: this.#timers, log }
    this.#session = new RealtimeSession(
      {
        ...outside,
        tools: noTools(outside),
        breaker: new ConnectionBreaker(this.#timers),
        tracing: noTracing,
        workMetrics: noWorkMetrics,
        config: { maxSessionSeconds: 120, idleTimeoutSeconds: 60, providerConnectTimeoutSeconds: 15 },
        metrics: {
          relayed: { clientFrames: 0, clientBytes: 0, providerFrames: 0, providerBytes: 0 },
          sessionStarted: () => undefined,
          sessionEnded: (reason) => this.#witness.noteCountedEnd(reason),
          providerConnected: () => undefined,
          firstAudio: () => undefined,
        },
      },
      {
        session: sessionRecord,
        startMicroseconds: 1_000_000,
        startedAt: 0,
        candidates: [candidate],
        dayLimit: null,
        client: this.#sockets.client,
        clientAddress: null,
        isCall: false,
        connect: (_target, opening, signal) => this.#connection(opening, signal),
        history: [],
        adopted: [],
        readHistory: () => Promise.resolve([]),
      },
    )
    void this.#session.done.then(() => {
      this.#isDone = true
    })
    this.#session.start()
  }

  async perform(command: Command): Promise<void> {
    switch (command.do) {
      case 'connect':
        this.#finishConnecting(command.how)
        break
      case 'tell':
        for (let told = 0; told < command.times; told += 1)
          this.#sendNextEvent(this.#scripts[command.turn % this.#scripts.length])
        break
      case 'play':
        this.#arrive('provider', longAnswer, false, command.times)
        break
      case 'send': {
        const [data, isBinary] = clientFrames[command.frame]
        this.#arrive('client', data, isBinary, command.times)
        break
      }
      case 'pass':
        await this.#pass(command.milliseconds)
        break
      case 'database':
        this.#database.condition = command.condition
        break
      case 'stall':
        this.#sockets[command.side].stall(command.isStalled)
        break
      case 'deafen':
        this.#sockets[command.side].ignoresPings = true
        break
      case 'overdo':
        this.#sockets[command.side].arrive({ what: 'tooBig' })
        break
      case 'leave':
        this.#sockets[command.side].arrive({ what: 'closed', code: command.code })
        break
      case 'terminate':
        this.#session.end('terminated', 'An operator did it.')
    }
    await this.#settle()
  }

  /**
   * Ends the session if nothing else has, makes the database available, and waits until everything is
   * stored.
   */
  async finish(): Promise<void> {
    if (!this.#witness.isEnded) await this.#expectAllRead()
    this.#session.end('terminated', 'An operator did it.')
    this.#finishConnecting('connected')
    this.#database.condition = 'up'
    for (let round = 0; round < 20 && !this.#isDone; round += 1) await this.#pass(2000)
  }

  /** The final stored rows, and the expected ones. */
  report() {
    const { waiting: waitingTimers } = this.#timers
    return this.#witness.report({ connect: this.#connect, isDone: this.#isDone, waitingTimers })
  }

  /** Checks the conditions that must always hold. */
  reportNow() {
    return this.#witness.reportNow()
  }

  /** A peer is paused only while the other peer is slow. */
  async #expectAllRead(): Promise<void> {
    for (const socket of Object.values(this.#sockets)) socket.stall(false)
    await this.#settle()
    if (this.#connect !== 'opened' || this.#witness.isEnded) return
    for (const [side, { unread }] of Object.entries(this.#sockets))
      if (unread > 0) this.#witness.noteWrong(`${unread} frames of the ${side} are not read`)
  }

  #connection({ update }: ProviderOpening, signal: AbortSignal): Promise<ProviderConnection> {
    return new Promise((resolve, reject) => {
      this.#answerConnect = (connection) => {
        if (connection.ok && !this.#witness.isEnded) connection.socket.send(JSON.stringify(update), false)
        resolve(connection)
      }
      if (!this.#ignoresAbort)
        signal.addEventListener('abort', () => reject(new DOMException('given up', 'AbortError')))
    })
  }

  #finishConnecting(how: 'connected' | 'unreachable'): void {
    const isOver = this.#witness.isEnded
    if (this.#connect !== 'pending' || (isOver && !this.#ignoresAbort)) return
    this.#connect = how === 'unreachable' ? 'failed' : isOver ? 'too late' : 'opened'
    this.#answerConnect(
      how === 'connected'
        ? { ok: true, socket: this.#sockets.provider }
        : { ok: false, reason: 'unreachable', detail: 'No.' },
    )
  }

  #arrive(side: Side, data: Buffer, isBinary: boolean, times: number): void {
    for (let sent = 0; sent < times; sent += 1) this.#sockets[side].arrive({ what: 'frame', data, isBinary })
  }

  #sendNextEvent(script: TurnScript | undefined): void {
    const event = script?.next()
    if (!script || !event) return
    const data = Buffer.from(JSON.stringify(event))
    this.#witness.noteMeaning(data, script, event)
    this.#arrive('provider', data, false, 1)
  }

  async #pass(milliseconds: number): Promise<void> {
    for (let passed = 0; passed < milliseconds; passed += 1000) {
      this.#timers.advance(Math.min(1000, milliseconds - passed))
      await this.#settle()
    }
  }

  /** Runs everything that needs no time. */
  async #settle(): Promise<void> {
    const { client, provider } = this.#sockets
    let hasMoved = true
    while (hasMoved) {
      await setImmediate()
      hasMoved = false
      while (client.move() || provider.move()) {
        hasMoved = true
        await promisesSettled()
      }
    }
  }
}
