import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import WebSocket from 'ws'
import { instructions, wireRate } from './questions.js'

interface ServerEvent {
  readonly type: string
  readonly delta?: string
  readonly response?: { readonly status: string }
  readonly error?: { readonly message: string }
}

/** The outcome of one turn: the time to first audio, or null without a complete answer. */
export type TurnMilliseconds = number | null

const chunkMilliseconds = 20
const bytesPerMillisecond = (wireRate / 1000) * 2
const chunkBytes = chunkMilliseconds * bytesPerMillisecond
const silence = Buffer.alloc(chunkBytes)
const patienceMilliseconds = 15_000

/** A caller that asks the engine, plays the answer to its end, and asks again. */
export class Caller {
  readonly #socket: WebSocket
  #firstSoundAt: number | null = null
  #soundMilliseconds = 0
  #end: string | null = null

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on('message', (data) => this.#hear(JSON.parse(data.toString()) as ServerEvent))
  }

  /** The session configuration that the service sends. */
  static async connect(url: string): Promise<Caller> {
    const socket = new WebSocket(`${url}?model=offline`, { perMessageDeflate: false })
    const caller = new Caller(socket)
    await once(socket, 'open')
    const format = { type: 'audio/pcm', rate: wireRate }
    const audio = {
      input: { format, transcription: { model: 'offline' }, turn_detection: { type: 'semantic_vad' } },
      output: { format, voice: 'alloy' },
    }
    const session = { type: 'realtime', output_modalities: ['audio'], instructions, audio }
    socket.send(JSON.stringify({ type: 'session.update', session }))
    return caller
  }

  /** Sends the question in real time, then silence as a microphone does, and plays the answer to its end. */
  async ask(question: Buffer): Promise<TurnMilliseconds> {
    this.#firstSoundAt = null
    this.#soundMilliseconds = 0
    this.#end = null
    const startedAt = performance.now()
    const endOfSpeechAt = startedAt + question.length / bytesPerMillisecond
    for (let chunk = 0; this.#isListening(endOfSpeechAt); chunk += 1) {
      // Scheduled by the clock: delays between chunks would add up and slow the speaker down.
      await wait(Math.max(0, startedAt + (chunk + 1) * chunkMilliseconds - performance.now()))
      const sound = question.subarray(chunk * chunkBytes, (chunk + 1) * chunkBytes)
      this.#append(sound.length === 0 ? silence : sound)
    }
    const isWhole = this.#end === 'completed' && this.#firstSoundAt !== null
    return isWhole ? (this.#firstSoundAt ?? 0) - endOfSpeechAt : null
  }

  async hangUp(): Promise<void> {
    if (this.#socket.readyState === WebSocket.CLOSED) return
    const closed = once(this.#socket, 'close')
    this.#socket.close()
    await closed
  }

  #isListening(endOfSpeechAt: number): boolean {
    const now = performance.now()
    if (this.#socket.readyState !== WebSocket.OPEN || now > endOfSpeechAt + patienceMilliseconds) return false
    if (this.#end !== null && this.#end !== 'completed') return false
    const playsUntil = (this.#firstSoundAt ?? now) + this.#soundMilliseconds
    return this.#end === null || now < playsUntil
  }

  #hear({ type, delta, response }: ServerEvent): void {
    if (type === 'response.output_audio.delta') {
      this.#firstSoundAt ??= performance.now()
      this.#soundMilliseconds += Buffer.byteLength(delta ?? '', 'base64') / bytesPerMillisecond
    }
    if (type === 'response.done') this.#end = response?.status ?? 'failed'
  }

  #append(chunk: Buffer): void {
    this.#socket.send(JSON.stringify({ type: 'input_audio_buffer.append', audio: chunk.toString('base64') }))
  }
}
