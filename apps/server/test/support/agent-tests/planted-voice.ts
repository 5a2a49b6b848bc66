import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { WebSocket } from 'ws'
import { WebSocketServer } from 'ws'
import { closeAfterwards } from '../close-afterwards.js'

/** A quarter of a second of silence ends a turn: this many microphone frames. */
const quietPieces = 12
/** The duration of each spoken answer. */
const answerMilliseconds = 3000
const loud = 500

export interface PlantedVoice {
  readonly baseUrl: string
  close(): Promise<void>
}

/**
 * A realtime provider that detects speech by loudness. `polite` waits for the end of speech and stops when
 * the user speaks. `talks-over` answers at the first sound and hears nothing.
 */
export async function startPlantedVoice(): Promise<PlantedVoice> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })
  await once(server, 'listening')
  server.on('connection', (socket, { url }) => new Speaker(socket, /model=talks-over/.test(url ?? '')))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: closeAfterwards(async () => {
      for (const client of server.clients) client.terminate()
      await new Promise((resolve) => server.close(resolve))
    }),
  }
}

class Speaker {
  readonly #socket: WebSocket
  readonly #talksOver: boolean
  #isHearing = false
  #quietCount = 0
  #count = 0

  constructor(socket: WebSocket, talksOver: boolean) {
    this.#socket = socket
    this.#talksOver = talksOver
    socket.on('message', (data) => this.#receive(JSON.parse(String(data))))
    this.#send({ type: 'session.created', session: {} })
  }

  #receive(event: { readonly type: string; readonly audio?: string; readonly session?: object }): void {
    if (event.type === 'session.update') this.#send({ type: 'session.updated', session: event.session })
    if (event.type === 'input_audio_buffer.append') this.#hear(Buffer.from(event.audio ?? '', 'base64'))
  }

  #hear(sound: Buffer): void {
    const isLoud = peakOf(sound) >= loud
    this.#quietCount = isLoud ? 0 : this.#quietCount + 1
    if (isLoud && !this.#isHearing) {
      this.#isHearing = true
      if (this.#talksOver) return this.#answer()
      this.#send({
        type: 'input_audio_buffer.speech_started',
        item_id: `user-${this.#count}`,
        audio_start_ms: 0,
      })
    }
    if (!this.#isHearing || this.#quietCount < quietPieces) return
    this.#isHearing = false
    if (this.#talksOver) return
    const item = { item_id: `user-${this.#count}` }
    this.#send({ type: 'input_audio_buffer.speech_stopped', ...item, audio_end_ms: 0 })
    this.#send({ type: 'input_audio_buffer.committed', ...item })
    const completed = 'conversation.item.input_audio_transcription.completed'
    this.#send({ type: completed, ...item, content_index: 0, transcript: 'Something was said.' })
    this.#answer()
  }

  #answer(): void {
    this.#count += 1
    const transcript = 'We are open from nine to five, on every day of the week.'
    const [id, itemId] = [`response-${this.#count}`, `answer-${this.#count}`]
    const place = { response_id: id, item_id: itemId, output_index: 0, content_index: 0 }
    const item = { id: itemId, type: 'message', role: 'assistant', content: [] }
    this.#send({ type: 'response.created', response: { id, status: 'in_progress', output: [] } })
    this.#send({ type: 'response.output_item.added', response_id: id, output_index: 0, item })
    this.#send({ type: 'response.output_audio_transcript.delta', ...place, delta: transcript })
    for (let sent = 0; sent < answerMilliseconds; sent += 500) {
      const delta = Buffer.alloc(500 * 48).toString('base64')
      this.#send({ type: 'response.output_audio.delta', ...place, delta })
    }
    this.#send({ type: 'response.output_audio.done', ...place })
    this.#send({ type: 'response.output_audio_transcript.done', ...place, transcript })
    this.#send({ type: 'response.done', response: { id, status: 'completed', output: [item] } })
  }

  #send(event: object): void {
    this.#socket.send(JSON.stringify({ event_id: `event-${Math.random()}`, ...event }))
  }
}

function peakOf(sound: Buffer): number {
  let peak = 0
  for (let place = 0; place + 1 < sound.length; place += 2)
    peak = Math.max(peak, Math.abs(sound.readInt16LE(place)))
  return peak
}
