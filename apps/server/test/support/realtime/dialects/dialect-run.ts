import type { FrameSocket } from '@parley/relay-socket'
import type { Dialect } from '#server/adapters/openai-realtime/dialects/dialect.js'
import { DialectSocket } from '#server/adapters/openai-realtime/dialects/dialect-socket.js'
import { withOpening } from '#server/adapters/openai-realtime/realtime-provider.js'
import { connectTranslated } from '#server/adapters/realtime-dialects/translated-socket.js'
import type {
  DialectOutput,
  TranslatingDialect,
} from '#server/adapters/realtime-dialects/translating-dialect.js'
import type { ProviderConnection, ProviderOpening } from '#server/ports/realtime-provider.js'
import { makeTestTimers } from '../../test-timers.js'
import { MemorySocket } from '../memory-socket.js'
import type { Emitted } from './emitted-events.js'
import { EventOrder } from './event-order.js'

type Fields = Readonly<Record<string, unknown>>

/** Plays a provider on one connection. */
export interface PlayedProvider {
  receive(message: Fields): void
  /** The socket is gone. */
  lose(): void
}

/** The provider's end of a socket. */
export interface ProviderPeer {
  send(message: object): void
  close(code: number, reason: string): void
}

/** How a dialect is made: one with a protocol of its own, or one that resembles OpenAI's. */
export type MadeDialect =
  | {
      readonly makeDialect: (
        output: DialectOutput,
        opening: ProviderOpening,
        startedAt: number,
      ) => TranslatingDialect
    }
  | { readonly makeSimilar: () => Dialect }

export type DialectRunParts<Provider extends PlayedProvider> = MadeDialect & {
  readonly opening: ProviderOpening
  readonly play: (peer: ProviderPeer) => Provider
}

/** The configuration of a session, as the service sends it. */
export function openingOf(model: string, voice: string, items: readonly object[] = []): ProviderOpening {
  const format = { type: 'audio/pcm', rate: 24000 }
  const tool = { type: 'function', name: 'clock', description: 'Tells the time.', parameters: {} }
  return {
    update: {
      type: 'session.update',
      event_id: 'svc_update',
      session: {
        ...{ type: 'realtime', model, output_modalities: ['audio'], instructions: 'Be brief.' },
        audio: { input: { format, turn_detection: { type: 'semantic_vad' } }, output: { format, voice } },
        ...{ tools: [tool], tool_choice: 'auto' },
      },
    },
    items: items.map((item, index) => ({
      ...{ type: 'conversation.item.create', event_id: `svc_past_${index}`, item },
    })),
  }
}

/** A dialect between a client and a played provider, without a network. It checks each event that the client receives. */
export class DialectRun<Provider extends PlayedProvider> {
  readonly events: Emitted[] = []
  readonly providers: Provider[] = []
  /** The reason why the session could not be opened, or null. */
  refusal: string | null = null
  /** The code of the end, or null. */
  closeCode: number | null = null
  /** How many of the next sockets cannot be opened. */
  unreachable = 0
  /** Whether the owner reads nothing. */
  isPaused = false
  readonly #parts: DialectRunParts<Provider>
  readonly #timers = makeTestTimers()
  readonly #sockets: MemorySocket[] = []
  readonly #order: EventOrder
  readonly #problems: string[] = []
  #socket: FrameSocket | null = null
  #isSending = false

  constructor(parts: DialectRunParts<Provider>) {
    this.#parts = parts
    this.#order = new EventOrder({ writesItems: 'makeDialect' in parts })
  }

  /** Everything that was wrong so far. */
  get problems(): readonly string[] {
    return [...this.#problems, ...this.#order.problems]
  }

  get provider(): Provider {
    return this.providers.at(-1) as Provider
  }

  /** Connects, and returns after the provider has confirmed or refused. */
  async open(): Promise<this> {
    const connecting = this.#connect().then((connection) => this.#use(connection))
    await this.settle()
    await connecting
    await this.settle()
    return this
  }

  send(event: object): void {
    this.#isSending = true
    this.#socket?.send(Buffer.from(JSON.stringify(event)), false)
    this.#isSending = false
  }

  pause(): void {
    this.isPaused = true
    this.#socket?.pause()
  }

  resume(): void {
    this.isPaused = false
    this.#socket?.resume()
  }

  /** The connection breaks. */
  loseSocket(): void {
    this.provider.lose()
    this.#sockets.at(-1)?.arrive({ what: 'closed', code: 1006 })
  }

  async pass(milliseconds: number): Promise<void> {
    this.#timers.advance(milliseconds)
    await this.settle()
  }

  /** Runs everything that needs no time. */
  async settle(): Promise<void> {
    for (let hasMoved = true; hasMoved; ) {
      for (let link = 0; link < 12; link += 1) await null
      hasMoved = this.#sockets.map((socket) => socket.move()).includes(true)
    }
  }

  /** Lets enough time pass for everything to end, and checks that it has. */
  async finish(): Promise<void> {
    this.resume()
    await this.settle()
    for (let passed = 0; passed < 300; passed += 5) await this.pass(5000)
    if (this.closeCode === null) this.#order.finish()
    this.#socket?.close(1000, '')
    await this.settle()
    if (this.#timers.waiting > 0) this.#problems.push('a timer is left')
  }

  async #connect(): Promise<ProviderConnection> {
    const parts = this.#parts
    const { opening } = parts
    if ('makeSimilar' in parts) {
      const found = this.#openSocket()
      return found.ok ? withOpening(new DialectSocket(found.socket, parts.makeSimilar()), opening) : found
    }
    return connectTranslated(
      {
        timers: this.#timers,
        open: async () => this.#openSocket(),
        makeDialect: (output) => parts.makeDialect(output, opening, this.#timers.monotonic()),
      },
      new AbortController().signal,
    )
  }

  #openSocket(): ProviderConnection {
    if (this.unreachable > 0) {
      this.unreachable -= 1
      return { ok: false, reason: 'unreachable', detail: 'Nothing listens there.' }
    }
    const socket = new MemorySocket()
    const open = this.#sockets.at(-1)
    if (open !== undefined && !open.isClosed) this.#problems.push('two sockets are open')
    this.#sockets.push(socket)
    const provider = this.#parts.play({
      send: (message) =>
        socket.arrive({ what: 'frame', data: Buffer.from(JSON.stringify(message)), isBinary: false }),
      close: (code, reason) => socket.arrive({ what: 'closed', code, reason }),
    })
    this.providers.push(provider)
    socket.onSent = ({ data }) => provider.receive(JSON.parse(data.toString()))
    return { ok: true, socket }
  }

  #use(connection: ProviderConnection): void {
    if (!connection.ok) {
      this.refusal = connection.detail
      return
    }
    this.#socket = connection.socket
    connection.socket.listen({
      frame: (data) => {
        if (this.#isSending) this.#problems.push('an event arrived while another one was sent')
        if (this.closeCode !== null) this.#problems.push('an event arrived after the end')
        this.events.push(this.#order.observeFrame(data.toString()))
      },
      pong: () => undefined,
      tooBig: () => undefined,
      closed: (code) => {
        if (this.closeCode !== null) this.#problems.push('the end was reported twice')
        this.closeCode = code
      },
    })
  }
}
