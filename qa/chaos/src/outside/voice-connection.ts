import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { GarbageKind } from '../plan/fault.js'
import {
  type ProviderConnectionEntry,
  type ReceivedOutput,
  type SentCall,
  type SpokenMessage,
  wordsOf,
} from '../records/external-records.js'
import { sendGarbage } from './garbage.js'
import { actFor, answerEvents, audioFrames, audioMilliseconds, callEvents } from './voice-script.js'

/** How long the transcription of the user's words takes. */
const transcriptionMilliseconds = 150

interface ClientEvent {
  readonly type: string
  readonly event_id?: string
  readonly session?: { readonly instructions?: string }
  readonly item?: { readonly type?: string; readonly call_id?: string }
}

/**
 * One session on the provider's side. Each utterance is transcribed and answered, with words or with a call,
 * one response at a time. Everything sent and received is numbered and recorded.
 */
export class VoiceConnection {
  readonly #socket: WebSocket
  readonly #raw: Duplex
  readonly #words: SpokenMessage[] = []
  readonly #calls: SentCall[] = []
  readonly #outputs: ReceivedOutput[] = []
  readonly #openedAt = Date.now()
  readonly #held: string[] = []
  #closedAt: number | null = null
  #key = ''
  #count = 0
  /** The number of active holds. */
  #holds = 0
  #hasActiveResponse = false
  /** Turns of the user that have no answer yet. */
  #due: number[] = []

  constructor(socket: WebSocket, raw: Duplex) {
    this.#socket = socket
    this.#raw = raw
    socket.on('error', () => undefined)
    socket.on('message', (data) => this.#hear(JSON.parse(String(data)) as ClientEvent))
    socket.once('close', () => {
      this.#closedAt = Date.now()
    })
    this.#send({ type: 'session.created', session: {} })
  }

  get isOpen(): boolean {
    return this.#closedAt === null
  }

  entry(): ProviderConnectionEntry {
    const [words, calls, outputs] = [this.#words, this.#calls, this.#outputs]
    return { key: this.#key, openedAt: this.#openedAt, closedAt: this.#closedAt, words, calls, outputs }
  }

  cut(): void {
    this.#socket.terminate()
  }

  /** Holds all frames back for this long, then sends them. */
  hold(milliseconds: number): void {
    this.#holds += 1
    setTimeout(() => this.#release(), milliseconds)
  }

  garble(kind: GarbageKind): void {
    if (this.isOpen) sendGarbage(kind, this.#socket, this.#raw)
  }

  #hear(event: ClientEvent): void {
    if (event.type === 'session.update') {
      this.#key = /chaos (\S+)/.exec(event.session?.instructions ?? '')?.[1] ?? ''
      this.#send({ type: 'session.updated', session: {} })
    }
    if (event.type === 'input_audio_buffer.commit') this.#understand()
    if (event.type === 'conversation.item.create') this.#receiveItem(event)
    if (event.type === 'response.create') this.#request(event)
  }

  #receiveItem({ event_id: eventId = '', item }: ClientEvent): void {
    if (item?.type === 'function_call_output')
      this.#outputs.push({
        callId: item.call_id ?? '',
        at: Date.now(),
        isReplayed: eventId.startsWith('svc_past_'),
      })
    this.#send({ type: 'conversation.item.added', item })
  }

  #understand(): void {
    const number = this.#next('user')
    const itemId = `item_${number}`
    this.#send({ type: 'input_audio_buffer.committed', item_id: itemId })
    setTimeout(() => {
      const transcript = wordsOf(this.#key, { number, role: 'user' })
      const type = 'conversation.item.input_audio_transcription.completed'
      this.#send({ type, item_id: itemId, content_index: 0, transcript })
    }, transcriptionMilliseconds)
    this.#due.push(number)
    this.#answerNext()
  }

  /** Handles the request for a response to the outputs of tools. */
  #request({ event_id: eventId }: ClientEvent): void {
    if (!this.#hasActiveResponse) return void this.#speak()
    const code = 'conversation_already_has_active_response'
    const error = { type: 'invalid_request_error', code, message: 'There is one.', event_id: eventId }
    this.#send({ type: 'error', error })
  }

  #answerNext(): void {
    const number = this.#due[0]
    if (this.#hasActiveResponse || number === undefined || !this.isOpen) return
    this.#due.shift()
    const act = actFor(this.#key, number)
    if (act === 'answer') void this.#speak()
    else this.#call(act)
  }

  #call(name: 'note' | 'charge'): void {
    this.#count += 1
    const callId = `call_${this.#key}_${this.#count}`
    const effect = `${this.#key}/${this.#count}`
    this.#calls.push({ callId, effect, at: Date.now() })
    const argumentsText = JSON.stringify({ call: effect })
    for (const event of callEvents(`resp_${this.#count}`, { callId, name, argumentsText })) this.#send(event)
    this.#answerNext()
  }

  async #speak(): Promise<void> {
    const number = this.#next('assistant')
    const words = wordsOf(this.#key, { number, role: 'assistant' })
    const { begin, frame, end } = answerEvents(
      { responseId: `resp_${number}`, itemId: `item_${number}` },
      words,
    )
    this.#hasActiveResponse = true
    for (const event of begin) this.#send(event)
    for (let sent = 0; sent < audioFrames && this.isOpen; sent += 1) {
      this.#send(frame)
      await new Promise((resolve) => void setTimeout(resolve, audioMilliseconds))
    }
    for (const event of end) this.#send(event)
    this.#hasActiveResponse = false
    this.#answerNext()
  }

  #next(role: SpokenMessage['role']): number {
    this.#count += 1
    this.#words.push({ number: this.#count, role, at: Date.now() })
    return this.#count
  }

  #send(event: object): void {
    const text = JSON.stringify(event)
    if (this.#holds > 0) this.#held.push(text)
    else if (this.isOpen) this.#socket.send(text)
  }

  #release(): void {
    this.#holds -= 1
    if (this.#holds > 0) return
    for (const text of this.#held.splice(0)) if (this.isOpen) this.#socket.send(text)
  }
}
