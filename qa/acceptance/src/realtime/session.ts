import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import WebSocket from 'ws'
import { show, Unmet } from '../expectations.js'
import { Skipped } from '../skipped.js'

/** A socket event, with the fields that the checks read. */
export interface SessionEvent {
  readonly type: string
  /** Set for the service's own events. */
  readonly data?: Readonly<Record<string, unknown>>
  readonly error?: { readonly type?: string; readonly code?: string | null; readonly message?: string }
  /** Set for the provider's tool calls. */
  readonly call_id?: string
  readonly name?: string
  readonly arguments?: string
}

export interface Rejection {
  readonly ok: false
  readonly status: number
  /** Null if the response did not come from the service. */
  readonly errorCode: string | null
  readonly text: string
}

export type Opening = { readonly ok: true; readonly session: Session } | Rejection

export function openSession(url: string, requestId: string, signal: AbortSignal): Promise<Opening> {
  const socket = new WebSocket(url, { perMessageDeflate: false, headers: { 'x-request-id': requestId } })
  const session = new Session(socket, signal)
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve({ ok: true, session }))
    socket.once('error', reject)
    socket.once('unexpected-response', (_request, response) => {
      rejectionOf(response).then(resolve, reject)
    })
    signal.addEventListener('abort', () => session.drop(), { once: true })
  })
}

async function rejectionOf(response: IncomingMessage): Promise<Rejection> {
  const body = await text(response)
  const status = response.statusCode ?? 0
  if (!response.headers['content-type']?.startsWith('application/problem+json'))
    return { ok: false, status, errorCode: null, text: body }
  const problem: { readonly errorCode: string } = JSON.parse(body)
  return { ok: false, status, errorCode: problem.errorCode, text: body }
}

/** An open socket with its unread events, in order. */
export class Session {
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>
  readonly #socket: WebSocket
  readonly #signal: AbortSignal
  readonly #types: string[] = []
  readonly #events: SessionEvent[] = []
  #ending: string | null = null
  #wake: () => void = () => undefined

  constructor(socket: WebSocket, signal: AbortSignal) {
    this.#socket = socket
    this.#signal = signal
    socket.on('error', () => undefined)
    socket.on('message', (data, isBinary) => {
      if (isBinary) return
      const event: SessionEvent = JSON.parse(String(data))
      this.#types.push(event.type)
      this.#events.push(event)
      this.#wake()
    })
    this.closed = new Promise((resolve) => {
      socket.once('close', (code, reason) => {
        this.#ending = `closed with ${code} ${reason}`
        this.#wake()
        resolve({ code, reason: String(reason) })
      })
    })
    signal.addEventListener('abort', () => this.#wake(), { once: true })
  }

  send(event: object | string): void {
    this.#socket.send(typeof event === 'string' ? event : JSON.stringify(event))
  }

  /** Sends a text message and requests a response. */
  say(words: string): void {
    const content = [{ type: 'input_text', text: words }]
    this.send({ type: 'conversation.item.create', item: { type: 'message', role: 'user', content } })
    this.send({ type: 'response.create' })
  }

  /** Returns the next event of this type and skips the events before it. */
  async next(type: string): Promise<SessionEvent> {
    for (;;) {
      const event = await this.#take(type)
      if (event.type === type) return event
    }
  }

  /** Returns all events up to and including the next one of this type. */
  async upTo(type: string): Promise<readonly SessionEvent[]> {
    const passed: SessionEvent[] = []
    while (passed.at(-1)?.type !== type) passed.push(await this.#take(type))
    return passed
  }

  /** Closes the socket as a client does, and waits for the other side's close. */
  async leave(): Promise<void> {
    this.#socket.close(1000)
    await this.closed
  }

  drop(): void {
    this.#socket.terminate()
  }

  /** Returns the next event of any type. An unexpected `error` event throws. */
  async #take(expected: string): Promise<SessionEvent> {
    for (;;) {
      const event = this.#events.shift()
      if (event === undefined) await this.#more(expected)
      else if (event.type !== 'error' || expected === 'error') return event
      else if (event.error?.code === 'speech_unavailable')
        throw new Skipped(`no voice here: ${event.error.message}`)
      else throw new Unmet(expected, `an error: ${show(event.error)}`)
    }
  }

  async #more(expected: string): Promise<void> {
    const seen = this.#types.length === 0 ? 'nothing' : this.#types.slice(-12).join(', ')
    if (this.#signal.aborted) throw new Unmet(`${expected} in time`, `${seen}, and then nothing`)
    if (this.#ending !== null) throw new Unmet(expected, `${seen}; ${this.#ending}`)
    await new Promise<void>((resolve) => {
      this.#wake = resolve
    })
  }
}
