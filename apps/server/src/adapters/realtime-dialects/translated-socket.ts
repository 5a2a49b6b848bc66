import type { FrameSocket, FrameSocketEvents } from '@parley/relay-socket'
import type { ConnectionFailure, ProviderConnection } from '../../ports/realtime-provider.js'
import type { Timers } from '../../ports/time.js'
import { appendedAudio } from './appended-audio.js'
import { parseFields } from './json-fields.js'
import { errorEvent, frameOf, type ServerEvent } from './server-event.js'
import type { DialectOutput, SocketLoss, TranslatingDialect } from './translating-dialect.js'

/** A provider is paused while the owner reads slowly, so more than this is a fault. */
const maxQueuedBytes = 8 * 1024 * 1024
const normalClosure = 1000
const abnormalClosure = 1006
const internalError = 1011

type Confirmation =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: ConnectionFailure; readonly detail: string }

export interface TranslatedSocketParts {
  readonly timers: Timers
  /** Opens a socket to the provider. Called again for each reconnect. */
  readonly open: (signal: AbortSignal) => Promise<ProviderConnection>
  readonly makeDialect: (output: DialectOutput) => TranslatingDialect
}

/**
 * Connects to a provider that speaks another protocol, and waits until it accepts the configuration. The dialect sends the
 * opening of the session when its socket opens.
 */
export async function connectTranslated(
  parts: TranslatedSocketParts,
  signal: AbortSignal,
): Promise<ProviderConnection> {
  const first = await parts.open(signal)
  if (!first.ok) return first
  const socket = new TranslatedSocket(first.socket, parts)
  const cancel = () => socket.close(normalClosure, '')
  signal.addEventListener('abort', cancel, { once: true })
  if (signal.aborted) cancel()
  const confirmation = await socket.confirmation
  signal.removeEventListener('abort', cancel)
  if (confirmation.ok) return { ok: true, socket }
  cancel()
  return confirmation
}

/*
 * The socket of a provider with another protocol. To its owner it speaks OpenAI's realtime protocol.
 *
 *   open ──reconnect──► closing the old socket ──closed──► opening ──opened──► open
 *     │                              │                        │
 *     └─────────closed by the owner, the dialect or the provider─────────► ended: reported after all queued frames
 *
 * Events for the owner are queued, and are delivered after the call that caused them: an owner must not receive a frame while
 * it sends one. They also wait while the owner has paused the socket, and until it listens.
 */
class TranslatedSocket implements FrameSocket {
  /** Settles once, when the provider has accepted or rejected the configuration, or is gone. */
  readonly confirmation: Promise<Confirmation>
  readonly #parts: TranslatedSocketParts
  readonly #dialect: TranslatingDialect
  readonly #opening = new AbortController()
  #settleConfirmation: (confirmation: Confirmation) => void = () => undefined
  /** Null between two sockets. */
  #provider: FrameSocket | null = null
  /** The previous socket, until it is closed. */
  #former: FrameSocket | null = null
  #events: FrameSocketEvents | null = null
  #queue: Buffer[] = []
  #queuedBytes = 0
  #isPaused = false
  #isDelivering = false
  /** Set when the owner has closed the socket. The dialect is not called any more. */
  #isClosing = false
  #end: SocketLoss | null = null
  #isEndReported = false
  /** The owner's callback for the frame that is being translated. */
  #onFlushed: (() => void) | null = null
  #tick: { readonly at: number; readonly cancel: () => void } | null = null

  constructor(socket: FrameSocket, parts: TranslatedSocketParts) {
    this.#parts = parts
    this.confirmation = new Promise((resolve) => {
      this.#settleConfirmation = resolve
    })
    this.#dialect = parts.makeDialect({
      emit: (event) => this.#enqueue(event),
      send: (message) => this.#sendMessage(message),
      confirm: () => this.#settleConfirmation({ ok: true }),
      refuse: (reason, detail) => this.#settleConfirmation({ ok: false, reason, detail }),
      reconnect: () => this.#reconnect(),
      close: (code, reason) => this.#closeBoth(code, reason),
    })
    this.#use(socket)
  }

  get bufferedBytes(): number {
    return (this.#provider?.bufferedBytes ?? 0) + this.#dialect.heldBytes
  }

  listen(events: FrameSocketEvents): void {
    this.#events = events
    this.#deliverSoon()
  }

  send(data: Buffer | string, isBinary: boolean, onFlushed?: () => void): void {
    if (this.#isClosing || this.#end !== null) return
    this.#onFlushed = onFlushed ?? null
    const audio = isBinary ? null : appendedAudio(data)
    const now = this.#now
    if (audio !== null) this.#dialect.receiveAudio(audio, now)
    else {
      const event = parseFields(data)
      if (event === null) this.#enqueue(errorEvent({}, 'invalid_json', 'The message is not a JSON object.'))
      else this.#dialect.receive(event, now)
    }
    this.#armTick()
    // Nothing was sent for this frame, so it has left.
    if (this.#onFlushed !== null) queueMicrotask(this.#onFlushed)
    this.#onFlushed = null
    if (this.#queue.length > 0) this.#deliverSoon()
  }

  ping(): void {
    this.#provider?.ping()
  }

  pause(): void {
    this.#isPaused = true
    this.#provider?.pause()
  }

  resume(): void {
    this.#isPaused = false
    this.#provider?.resume()
    this.#deliverSoon()
  }

  close(code: number, reason: string): void {
    if (this.#isClosing || this.#end !== null) return
    this.#dialect.ending?.()
    this.#isClosing = true
    this.#stop()
    // The owner ignores further frames.
    this.#queue = []
    if (this.#provider === null) this.#finish({ code, reason })
    else this.#provider.close(code, reason)
    this.#settleConfirmation({ ok: false, reason: 'unreachable', detail: 'cancelled' })
  }

  get #now(): number {
    return this.#parts.timers.monotonic()
  }

  #use(socket: FrameSocket): void {
    this.#provider = socket
    if (this.#isPaused) socket.pause()
    this.#dialect.opened(this.#now)
    socket.listen({
      frame: (data) => this.#read(socket, data),
      pong: () => this.#events?.pong(),
      tooBig: () => this.#events?.tooBig(),
      closed: (code, reason) => this.#lose(socket, { code, reason }),
    })
    this.#afterStep()
  }

  #read(socket: FrameSocket, data: Buffer): void {
    if (this.#provider !== socket || this.#isClosing || this.#end !== null) return
    // Some providers answer pings late. Any message shows that the connection is alive.
    this.#events?.pong()
    const message = parseFields(data)
    if (message === null) return
    this.#dialect.handle(message, this.#now)
    this.#afterStep()
  }

  #lose(socket: FrameSocket, cause: SocketLoss): void {
    if (this.#former === socket) {
      this.#former = null
      return void this.#openAgain()
    }
    if (this.#provider !== socket) return
    this.#provider = null
    if (this.#isClosing) return this.#finish(cause)
    this.#dialect.lost(cause, this.#now)
    this.#afterStep()
  }

  #sendMessage(message: object | string): void {
    if (this.#provider === null) return
    const text = typeof message === 'string' ? message : JSON.stringify(message)
    this.#provider.send(text, false, this.#onFlushed ?? undefined)
    this.#onFlushed = null
  }

  #reconnect(): void {
    if (this.#provider === null) return void this.#openAgain()
    // Providers refuse a second socket of a session while the first one is open.
    this.#former = this.#provider
    this.#provider = null
    this.#former.close(normalClosure, '')
  }

  async #openAgain(): Promise<void> {
    if (this.#isClosing || this.#end !== null) return
    const { signal } = this.#opening
    const connection = await this.#parts.open(signal).catch(() => unreachable)
    if (this.#isClosing || this.#end !== null) {
      if (connection.ok) connection.socket.close(normalClosure, '')
      return
    }
    if (connection.ok) return this.#use(connection.socket)
    this.#dialect.lost({ code: abnormalClosure, reason: connection.detail }, this.#now)
    this.#afterStep()
  }

  #closeBoth(code: number, reason: string): void {
    const provider = this.#provider
    this.#provider = null
    this.#stop()
    provider?.close(normalClosure, '')
    this.#finish({ code, reason })
  }

  #stop(): void {
    this.#opening.abort()
    this.#tick?.cancel()
    this.#tick = null
  }

  #finish(end: SocketLoss): void {
    if (this.#end !== null) return
    this.#stop()
    this.#end = end
    const { code, reason } = end
    const detail = `The provider closed the connection (${code}${reason && `: ${reason}`}).`
    this.#settleConfirmation({ ok: false, reason: 'refused', detail })
    this.#deliverSoon()
  }

  #enqueue(event: ServerEvent | Buffer): void {
    if (this.#end !== null) return
    const frame = Buffer.isBuffer(event) ? event : frameOf(event)
    this.#queue.push(frame)
    this.#queuedBytes += frame.length
    if (this.#queuedBytes > maxQueuedBytes)
      this.#closeBoth(internalError, 'Too many events of the provider wait for the client.')
  }

  #afterStep(): void {
    this.#armTick()
    this.#deliver()
  }

  #deliverSoon(): void {
    queueMicrotask(() => this.#deliver())
  }

  #deliver(): void {
    const events = this.#events
    if (events === null || this.#isDelivering) return
    this.#isDelivering = true
    for (let frame = this.#next(); frame !== undefined; frame = this.#next()) events.frame(frame, false)
    this.#isDelivering = false
    if (this.#end === null || this.#isEndReported || this.#queue.length > 0) return
    this.#isEndReported = true
    events.closed(this.#end.code, this.#end.reason)
  }

  /** Returns the next frame that may be delivered. The end is reported after the last one, even to a paused owner. */
  #next(): Buffer | undefined {
    if (this.#isPaused && this.#end === null) return undefined
    const frame = this.#queue.shift()
    this.#queuedBytes -= frame?.length ?? 0
    return frame
  }

  /** Sets the timer again only if the next tick is earlier than before, because audio often moves it. */
  #armTick(): void {
    const at = this.#dialect.nextTickAt
    if (at === null || this.#isClosing || this.#end !== null) return
    if (this.#tick !== null && this.#tick.at <= at) return
    this.#tick?.cancel()
    const delay = Math.max(0, at - this.#now)
    this.#tick = { at, cancel: this.#parts.timers.after(delay, () => this.#runTick()) }
  }

  #runTick(): void {
    this.#tick = null
    const at = this.#dialect.nextTickAt
    if (at !== null && at <= this.#now) this.#dialect.tick(this.#now)
    this.#afterStep()
  }
}

const unreachable = {
  ok: false,
  reason: 'unreachable',
  detail: 'The provider could not be reached.',
} as const
