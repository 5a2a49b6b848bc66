import { setImmediate } from 'node:timers/promises'
import { closeCodes, type EndReason } from '@parley/contract'
import { RealtimeSession } from '#server/domain/realtime/session/session.js'
import { noUsage } from '#server/domain/realtime/usage.js'
import type { ProviderConnection } from '#server/ports/realtime-provider.js'
import type { RealtimeSessionRecord } from '#server/ports/realtime-session-store.js'
import { makeTestClock } from '../test-clock.js'
import { makeTestTimers } from '../test-timers.js'
import { type DatabaseMood, MemoryDatabase } from './memory-database.js'
import { type MemoryFrame, MemorySocket } from './memory-socket.js'
import { noTools } from './no-tools.js'
import { type StoredTurn, type TurnPlan, TurnScript } from './turn-script.js'

type Side = 'client' | 'provider'

/** Long enough for an answer that is there already to go through all who wait for it, and no longer. */
async function promisesSettled(): Promise<void> {
  for (let link = 0; link < 10; link += 1) await null
}

/** What a client sends, and how it is refused where it is. */
export const clientFrames = {
  audio: [Buffer.from('{"type":"input_audio_buffer.append","audio":"AAAA"}'), false, null],
  'long audio': [
    Buffer.from(`{"type":"input_audio_buffer.append","audio":"${'A'.repeat(400_000)}"}`),
    false,
    null,
  ],
  event: [Buffer.from(' {"event_id":"e","type":"response.cancel"}'), false, null],
  binary: [Buffer.of(0, 1, 2, 0x7b), true, null],
  configuration: [Buffer.from('{"type":"session.update"}'), false, 'session_update_not_allowed'],
  approval: [Buffer.from('{"type":"approval.approve","callId":"c"}'), true, 'approval_not_pending'],
  nonsense: [Buffer.from('{'), false, 'invalid_message'],
} as const

const longAnswer = Buffer.from(`{"type":"response.output_audio.delta","delta":"${'A'.repeat(400_000)}"}`)

export type Command =
  | { readonly do: 'connect'; readonly how: 'connected' | 'unreachable' }
  | { readonly do: 'tell'; readonly turn: number; readonly times: number }
  | { readonly do: 'play'; readonly times: number }
  | { readonly do: 'send'; readonly frame: keyof typeof clientFrames; readonly times: number }
  | { readonly do: 'pass'; readonly milliseconds: number }
  | { readonly do: 'database'; readonly mood: DatabaseMood }
  | { readonly do: 'jam'; readonly side: Side; readonly isJammed: boolean }
  | { readonly do: 'deafen'; readonly side: Side }
  | { readonly do: 'overdo'; readonly side: Side }
  | { readonly do: 'leave'; readonly side: Side; readonly code: 1000 | 1006 }
  | { readonly do: 'terminate' }

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
  usage: noUsage,
  setup: {
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
}

/** A session in memory, the model it is held against, and everything that goes in and comes out. */
export class SessionRun {
  readonly #timers = makeTestTimers()
  readonly #sockets: Record<Side, MemorySocket> = { client: new MemorySocket(), provider: new MemorySocket() }
  readonly #database: MemoryDatabase
  readonly #session: RealtimeSession
  readonly #scripts: readonly TurnScript[]
  readonly #ends: EndReason[] = []
  readonly #countedEnds: EndReason[] = []
  readonly #wrongs: string[] = []
  readonly #announced: string[] = []
  readonly #meaning = new Map<Buffer, readonly [TurnScript, object]>()
  readonly #read: Record<Side, Buffer[]> = { client: [], provider: [] }
  readonly #refused: string[] = []
  readonly #isStubborn: boolean
  #answerConnect: (connection: ProviderConnection) => void = () => undefined
  #connect: 'pending' | 'opened' | 'too late' | 'failed' = 'pending'
  #places = 0
  #isDone = false

  /** A stubborn attempt to connect goes on after it was given up. */
  constructor(plans: readonly TurnPlan[], refusals: number, isStubborn: boolean) {
    this.#isStubborn = isStubborn
    this.#database = new MemoryDatabase(refusals)
    this.#scripts = plans.map((plan, index) => new TurnScript(plan, index))
    const log = {
      debug: () => {},
      info: (fields: object) => this.#noteEnd(fields),
      warn: () => {},
      error: () => {},
    }
    const outside = { database: this.#database, clock: makeTestClock(), timers: this.#timers, log }
    this.#session = new RealtimeSession(
      {
        ...outside,
        tools: noTools(outside),
        config: { maxSessionSeconds: 120, idleTimeoutSeconds: 60, providerConnectTimeoutSeconds: 15 },
        metrics: {
          relayed: { clientFrames: 0, clientBytes: 0, providerFrames: 0, providerBytes: 0 },
          sessionStarted: () => undefined,
          sessionEnded: (reason) => void this.#countedEnds.push(reason),
          providerConnected: () => undefined,
          firstAudio: () => undefined,
        },
      },
      {
        session: sessionRecord,
        startMicroseconds: 1_000_000,
        startedAt: 0,
        client: this.#sockets.client,
        connect: (signal) => this.#connection(signal),
        history: [],
        adopted: [],
      },
    )
    this.#sockets.client.onSent = (frame) => this.#noteSent(frame)
    this.#sockets.client.onRead = (data) => this.#noteClientFrame(data)
    this.#sockets.provider.onRead = (data) => this.#noteProviderFrame(data)
    void this.#session.done.then(() => {
      this.#isDone = true
    })
    this.#session.start()
  }

  async perform(command: Command): Promise<void> {
    switch (command.do) {
      case 'connect':
        this.#letConnect(command.how)
        break
      case 'tell':
        for (let told = 0; told < command.times; told += 1)
          this.#tellNext(this.#scripts[command.turn % this.#scripts.length])
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
        this.#database.mood = command.mood
        break
      case 'jam':
        this.#sockets[command.side].jam(command.isJammed)
        break
      case 'deafen':
        this.#sockets[command.side].isDeaf = true
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

  /** Ends the session where nothing has, lets the database come back, and waits until everything is in. */
  async finish(): Promise<void> {
    if (this.#ends.length === 0) await this.#expectAllRead()
    this.#session.end('terminated', 'An operator did it.')
    this.#letConnect('connected')
    this.#database.mood = 'up'
    for (let round = 0; round < 20 && !this.#isDone; round += 1) await this.#pass(2000)
  }

  /** What is left of it, as it is and as it must be. */
  report() {
    const { client, provider } = this.#sockets
    const [reason] = this.#ends
    const toProvider = provider.sent.map(({ data }) => data)
    const isTold = reason !== undefined && reason !== 'client_left' && reason in closeCodes
    const code =
      reason !== undefined && reason in closeCodes ? closeCodes[reason as keyof typeof closeCodes] : 1011
    const isOpened = this.#connect === 'opened'
    return {
      is: {
        ...this.#sofar(),
        isDone: this.#isDone,
        rows: this.#rows(),
        toProvider: toProvider.filter((data) => typeof data !== 'string').map(labelOf),
        configurations: toProvider.filter((data) => typeof data === 'string').map(typeOf),
        // In no order: a decision is refused when the database has answered, everything else at once.
        refusals: this.#errors()
          .slice(0, isTold ? -1 : undefined)
          .sort(),
        told: isTold ? this.#errors().at(-1) : null,
        lastWords: isTold ? client.sent.at(-1)?.data === this.#ownFrames().at(-1) : true,
        ends: this.#ends.length,
        counted: this.#countedEnds,
        stored: this.#database.endReason,
        usage: this.#database.usage?.responses ?? 0,
        clientCloses: client.closes,
        providerCloses: provider.closes.length,
        timers: this.#timers.waiting,
      },
      mustBe: {
        wrongs: [],
        toClient: this.#read.provider.map(labelOf),
        isDone: true,
        rows: this.#expectedRows(),
        toProvider: isOpened ? this.#read.client.map(labelOf) : [],
        configurations: isOpened ? ['session.update'] : [],
        refusals: isOpened ? this.#refused.toSorted() : [],
        told: isTold ? reason : null,
        lastWords: true,
        ends: 1,
        counted: [reason],
        stored: reason,
        usage: this.#read.provider.filter((data) => data !== longAnswer && typeOf(data) === 'response.done')
          .length,
        clientCloses: [{ code, reason }],
        providerCloses: isOpened || this.#connect === 'too late' ? 1 : 0,
        timers: 0,
      },
    }
  }

  /** What must hold at every moment, also if this one is the last: what is stored was said, in this order. */
  reportNow() {
    const rows = this.#rows()
    const said = this.#expectedRows().filter((turn) => rows.some(({ itemId }) => itemId === turn.itemId))
    return {
      is: { ...this.#sofar(), rows: rows.map(wordsOf) },
      mustBe: { wrongs: [], toClient: this.#read.provider.map(labelOf), rows: said.map(wordsOf) },
    }
  }

  #sofar() {
    const toClient = this.#sockets.client.sent.map(({ data }) => data)
    return {
      wrongs: this.#wrongs,
      toClient: toClient.filter((data) => typeof data !== 'string').map(labelOf),
    }
  }

  #rows(): StoredTurn[] {
    return this.#database.messages.map(({ itemId, role, content, interrupted, failure }) => ({
      itemId,
      role: role as StoredTurn['role'],
      content,
      interrupted,
      failed: failure !== null,
    }))
  }

  #expectedRows(): StoredTurn[] {
    return this.#scripts
      .toSorted((one, other) => one.place - other.place)
      .flatMap((script) => script.stored ?? [])
  }

  #ownFrames(): string[] {
    return this.#sockets.client.sent.map(({ data }) => data).filter((data) => typeof data === 'string')
  }

  #errors(): string[] {
    return this.#ownFrames()
      .map(
        (text) => JSON.parse(text) as { readonly type: string; readonly error?: { readonly code: string } },
      )
      .flatMap(({ error }) => (error ? [error.code] : []))
  }

  /** Nobody is held back any longer than the other side is slow. */
  async #expectAllRead(): Promise<void> {
    for (const socket of Object.values(this.#sockets)) socket.jam(false)
    await this.#settle()
    if (this.#connect !== 'opened' || this.#ends.length > 0) return
    for (const [side, { unread }] of Object.entries(this.#sockets))
      if (unread > 0) this.#wrongs.push(`${unread} frames of the ${side} are not read`)
  }

  #connection(signal: AbortSignal): Promise<ProviderConnection> {
    return new Promise((resolve, reject) => {
      this.#answerConnect = resolve
      if (!this.#isStubborn)
        signal.addEventListener('abort', () => reject(new DOMException('given up', 'AbortError')))
    })
  }

  #letConnect(how: 'connected' | 'unreachable'): void {
    const isOver = this.#ends.length > 0
    if (this.#connect !== 'pending' || (isOver && !this.#isStubborn)) return
    this.#connect = how === 'unreachable' ? 'failed' : isOver ? 'too late' : 'opened'
    this.#answerConnect(
      how === 'connected' ? { ok: true, socket: this.#sockets.provider } : { ok: false, detail: 'No.' },
    )
  }

  #arrive(side: Side, data: Buffer, isBinary: boolean, times: number): void {
    for (let sent = 0; sent < times; sent += 1) this.#sockets[side].arrive({ what: 'frame', data, isBinary })
  }

  #tellNext(script: TurnScript | undefined): void {
    const event = script?.next()
    if (!script || !event) return
    const data = Buffer.from(JSON.stringify(event))
    this.#meaning.set(data, [script, event])
    this.#arrive('provider', data, false, 1)
  }

  async #pass(milliseconds: number): Promise<void> {
    for (let passed = 0; passed < milliseconds; passed += 1000) {
      this.#timers.advance(Math.min(1000, milliseconds - passed))
      await this.#settle()
    }
  }

  /** Lets everything happen that needs no time. */
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

  #noteEnd(fields: object): void {
    if ('reason' in fields) this.#ends.push(fields.reason as EndReason)
    for (const script of this.#scripts) script.end()
  }

  #noteClientFrame(data: Buffer): void {
    if (this.#ends.length > 0) return
    const refusal = Object.values(clientFrames).find(([frame]) => frame === data)?.[2] ?? null
    if (refusal === null) this.#read.client.push(data)
    else this.#refused.push(refusal)
  }

  #noteProviderFrame(data: Buffer): void {
    if (this.#ends.length > 0) return
    this.#read.provider.push(data)
    const meaning = this.#meaning.get(data)
    meaning?.[0].wasRead(meaning[1], () => {
      this.#places += 1
      return this.#places
    })
  }

  /** Whatever is announced is stored by then, was not announced before, and was said before. */
  #noteSent({ data }: MemoryFrame): void {
    if (typeof data !== 'string') return
    const event = JSON.parse(data) as { readonly type: string; readonly data?: { readonly id?: string } }
    const id = event.data?.id
    if (id === undefined) return
    const row = this.#database.messages.find((message) => message.id === id)
    const script = this.#scripts.find(({ itemId }) => itemId === row?.itemId)
    if (!row) this.#wrongs.push(`${event.type} of what is not stored`)
    if (this.#announced.includes(id)) this.#wrongs.push(`${event.type} of ${row?.itemId} again`)
    if (script?.isAnnounced === false) this.#wrongs.push(`${event.type} of ${row?.itemId} too early`)
    this.#announced.push(id)
  }
}

const typeOf = (data: Buffer | string) => (JSON.parse(data.toString()) as { readonly type: string }).type

/** A turn but for the mark that it was cut off, which may come later. */
const wordsOf = ({ interrupted: _, ...words }: StoredTurn) => words

/** A frame as a failing test shows it. */
const labelOf = (data: Buffer | string) => `${data.slice(0, 90).toString('latin1')} (${data.length})`
