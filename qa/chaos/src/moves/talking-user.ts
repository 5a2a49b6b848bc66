import { setTimeout as sleep } from 'node:timers/promises'
import WebSocket from 'ws'
import { callHttp, type HttpTarget, jsonOf } from '../load/http-call.js'
import { answerWords } from './dying-model.js'

const frameMilliseconds = 40
/** How long an answer may take, with several deaths on its way. */
const answerMilliseconds = 30_000
const openMilliseconds = 15_000
const retryMilliseconds = 200
const lastMilliseconds = 1000

export interface UserOptions {
  readonly target: HttpTarget
  readonly agentId: string
  readonly key: string
  readonly random: () => number
  /** The longest pause between two questions. */
  readonly pauseMilliseconds: number
  /** The session has moved to another provider. */
  readonly onMoved: (key: string, isContextRestored: boolean) => void
}

interface Ticket {
  readonly conversationId: string
  readonly webSocketPath: string
}

/** What a user has seen of a conversation. */
export interface UserRecord {
  readonly key: string
  conversationId: string
  /** Every question that was spoken as a whole. */
  readonly asked: string[]
  readonly unanswered: string[]
  /** The sockets that closed while the agent spoke. */
  cutOff: number
  /** The milliseconds from the close of a socket until the next one listens. */
  readonly gaps: number[]
  readonly closes: string[]
}

/** One user with one conversation. Asks questions until `isOver`, and opens the next session if one ends. */
export class TalkingUser {
  readonly record: UserRecord
  readonly #options: UserOptions
  #socket: WebSocket | null = null
  #nextTicket: Promise<Ticket> | null = null
  #listening = makeSignal()
  #lastWord: { readonly word: string; readonly heard: () => void } | null = null
  readonly #kept: string[] = []
  #sent: { readonly frame: string; readonly at: number }[] = []
  #isListening = false
  #isAnswering = false
  #isLeaving = false

  constructor(options: UserOptions) {
    this.#options = options
    this.record = {
      key: options.key,
      conversationId: '',
      asked: [],
      unanswered: [],
      cutOff: 0,
      gaps: [],
      closes: [],
    }
  }

  async talk(turns: number, isOver: () => boolean): Promise<void> {
    await this.#open(await this.#nextOne())
    for (let turn = 1; turn <= turns && !isOver(); turn += 1) {
      await this.#listening.promise
      await sleep(this.#options.random() * this.#options.pauseMilliseconds)
      await this.#ask(`${this.#options.key}t${turn}${this.#options.random() < 0.3 ? 'c' : 'n'}`)
    }
    await this.#listening.promise
    this.#isLeaving = true
    this.#socket?.close(1000)
  }

  async #ask(question: string): Promise<void> {
    await this.#listening.promise
    const text = `${question}.`
    const heard = new Promise<void>((resolve) => {
      this.#lastWord = { word: `${question}w${answerWords}`, heard: resolve }
    })
    this.#sent = []
    for (const part of [text.slice(0, 2), text.slice(2, 4), text.slice(4)]) {
      const audio = Buffer.from(part).toString('base64')
      this.#send(JSON.stringify({ type: 'input_audio_buffer.append', audio }))
      await sleep(frameMilliseconds)
    }
    this.record.asked.push(question)
    const stop = new AbortController()
    const late = sleep(answerMilliseconds, true, { signal: stop.signal }).catch(() => false)
    const isLate = await Promise.race([heard.then(() => false), late])
    stop.abort()
    if (isLate) this.record.unanswered.push(question)
    this.#isAnswering = false
  }

  /** Keeps the words without a session, and the last second before it ended, as the SDK does. */
  #send(frame: string): void {
    if (this.#isListening) this.#socket?.send(frame)
    else this.#kept.push(frame)
    this.#sent.push({ frame, at: performance.now() })
  }

  /** Requests a ticket over a new connection, so that the proxy chooses the instance. Returns null on failure. */
  async #ticket(): Promise<Ticket | null> {
    const { target, agentId, key } = this.#options
    const { conversationId } = this.record
    const body = { additionalInstructions: `chaos ${key}`, ...(conversationId !== '' && { conversationId }) }
    const path = `/api/v1/Agent/${agentId}/realtime-session`
    const answer = await callHttp(target, { method: 'POST', path, body })
    return answer.ok && answer.status === 201 ? jsonOf<Ticket>(answer.body) : null
  }

  async #open({ conversationId, webSocketPath }: Ticket, closedAt: number | null = null): Promise<void> {
    this.record.conversationId = conversationId
    const socket = new WebSocket(`${this.#options.target.url.replace('http', 'ws')}${webSocketPath}`, {
      perMessageDeflate: false,
      handshakeTimeout: openMilliseconds,
    })
    this.#socket = socket
    socket.on('error', () => undefined)
    socket.on('message', (data) => this.#hear(JSON.parse(String(data)) as Received, closedAt))
    socket.once('close', (code) => void this.#resume(code))
  }

  async #resume(code: number): Promise<void> {
    if (this.#isLeaving) return
    const closedAt = performance.now()
    this.record.closes.push(String(code))
    if (this.#isAnswering) this.record.cutOff += 1
    if (this.#isListening) this.#listening = makeSignal()
    if (this.#isListening) this.#kept.push(...this.#lastSecond(closedAt))
    this.#isListening = false
    const prepared = this.#nextTicket
    this.#nextTicket = null
    await this.#open(await (prepared ?? this.#nextOne()), closedAt)
  }

  #lastSecond(now: number): string[] {
    return this.#sent.filter(({ at }) => now - at < lastMilliseconds).map(({ frame }) => frame)
  }

  /** Requests tickets until an instance that is not shutting down answers. */
  async #nextOne(): Promise<Ticket> {
    for (;;) {
      const ticket = await this.#ticket()
      if (ticket !== null) return ticket
      await sleep(retryMilliseconds)
    }
  }

  #hear({ type, delta, data }: Received, closedAt: number | null): void {
    if (type === 'session.updated') {
      if (closedAt !== null && this.record.gaps.length < this.record.closes.length)
        this.record.gaps.push(performance.now() - closedAt)
      this.#isListening = true
      for (const frame of this.#kept.splice(0)) this.#socket?.send(frame)
      this.#listening.resolve()
    }
    if (type === 'session.moving') this.#nextTicket ??= this.#nextOne()
    if (type === 'session.provider_changed')
      this.#options.onMoved(this.#options.key, data?.isContextRestored === true)
    if (type !== 'response.output_audio_transcript.delta') return
    this.#isAnswering = delta?.trim() !== this.#lastWord?.word
    if (!this.#isAnswering) this.#lastWord?.heard()
  }
}

interface Received {
  readonly type: string
  readonly delta?: string
  readonly data?: { readonly isContextRestored?: boolean }
}

function makeSignal(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
