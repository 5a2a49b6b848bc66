import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type WebSocket from 'ws'

const frameMilliseconds = 20
export const frameBytes = 160
const bytesPerMillisecond = 8
const silence = Buffer.alloc(frameBytes, 0xff)
const patienceMilliseconds = 15_000
/** The agent has finished if nothing arrives for this long. */
const pauseMilliseconds = 1000

interface Message {
  readonly event: string
  readonly media?: { readonly payload: string }
  readonly mark?: { readonly name: string }
}

/** The caller's end of a media stream. It sends and plays sound in real time, like a telephone. */
export class TelephoneLine {
  readonly #socket: WebSocket
  readonly #streamSid: string
  #speech: Buffer[] = []
  /** Called before each frame of speech is sent, with the number of frames that follow. */
  #onSpoken: (left: number) => void = () => undefined
  #isOpen = true
  /** When a message with this event last arrived. */
  readonly #arrivedAt = new Map<string, number>()
  #playsUntil = 0

  constructor(socket: WebSocket, { callSid, token }: { readonly callSid: string; readonly token: string }) {
    this.#socket = socket
    this.#streamSid = `MZ-${callSid}`
    socket.on('message', (data) => this.#hear(JSON.parse(data.toString()) as Message))
    socket.once('close', () => {
      this.#isOpen = false
    })
    this.#send('connected', { protocol: 'Call', version: '1.0.0' })
    const mediaFormat = { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 }
    const start = { streamSid: this.#streamSid, callSid, customParameters: { token }, mediaFormat }
    this.#send('start', { start })
    void this.#keepTalking()
  }

  /** Returns the time from the end of this sound to the agent's first sound, or null without an answer. */
  ask(sound: Buffer): Promise<number | null> {
    return this.#measure(sound, 'media', 'end')
  }

  /** Speaks while the agent does. Returns the time from the beginning of this sound to the agent's silence. */
  interrupt(sound: Buffer): Promise<number | null> {
    return this.#measure(sound, 'clear', 'start')
  }

  /** Waits until the caller has said everything and the agent replies. */
  async untilAnswered(): Promise<void> {
    while (this.#speech.length > 0) await wait(1)
    await this.#arrivalAfter('media', performance.now())
  }

  /** Waits until the agent has said everything. */
  async untilQuiet(): Promise<void> {
    for (;;) {
      const heardAt = this.#arrivedAt.get('media') ?? 0
      const quietAt = Math.max(this.#playsUntil, heardAt) + pauseMilliseconds
      const left = quietAt - performance.now()
      if (left <= 0 || !this.#isOpen) return
      await wait(left)
    }
  }

  async hangUp(): Promise<void> {
    if (!this.#isOpen) return
    const closed = once(this.#socket, 'close')
    this.#send('stop', { stop: {} })
    await closed
  }

  async #measure(sound: Buffer, event: string, from: 'start' | 'end'): Promise<number | null> {
    const frames = framesOf(sound)
    const spoken = new Promise<number>((resolve) => {
      this.#onSpoken = (left) => {
        if (left === (from === 'end' ? 0 : frames.length - 1)) resolve(performance.now())
      }
    })
    this.#speech = frames.slice()
    const since = await spoken
    const at = await this.#arrivalAfter(event, since)
    return at === null ? null : at - since
  }

  async #arrivalAfter(event: string, since: number): Promise<number | null> {
    while (this.#isOpen && performance.now() < since + patienceMilliseconds) {
      const at = this.#arrivedAt.get(event) ?? 0
      if (at >= since) return at
      await wait(1)
    }
    return null
  }

  /** Scheduled by the clock: delays between frames would add up and slow the speaker down. */
  async #keepTalking(): Promise<void> {
    const startedAt = performance.now()
    for (let frame = 1; this.#isOpen; frame += 1) {
      await wait(Math.max(0, startedAt + frame * frameMilliseconds - performance.now()))
      const sound = this.#speech.shift()
      const payload = (sound ?? silence).toString('base64')
      // The time must be taken before the service can answer.
      if (sound) this.#onSpoken(this.#speech.length)
      this.#send('media', { media: { track: 'inbound', chunk: `${frame}`, payload } })
    }
  }

  #hear({ event, media, mark }: Message): void {
    const now = performance.now()
    this.#arrivedAt.set(event, now)
    if (media) {
      const milliseconds = Buffer.byteLength(media.payload, 'base64') / bytesPerMillisecond
      this.#playsUntil = Math.max(this.#playsUntil, now) + milliseconds
    }
    if (event === 'clear') this.#playsUntil = now
    if (mark) setTimeout(() => this.#send('mark', { mark }), Math.max(0, this.#playsUntil - now))
  }

  #send(event: string, fields: object): void {
    if (this.#isOpen) this.#socket.send(JSON.stringify({ event, streamSid: this.#streamSid, ...fields }))
  }
}

function framesOf(sound: Buffer): Buffer[] {
  const frames: Buffer[] = []
  for (let at = 0; at < sound.length; at += frameBytes) frames.push(sound.subarray(at, at + frameBytes))
  return frames
}
