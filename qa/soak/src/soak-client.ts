import { once } from 'node:events'
import WebSocket from 'ws'

const patienceMilliseconds = 30_000

const append = JSON.stringify({ type: 'input_audio_buffer.append', audio: 'A'.repeat(2000) })
const commit = JSON.stringify({ type: 'input_audio_buffer.commit' })

/** A client of the service. Each wait has a timeout. */
export class SoakClient {
  readonly socket: WebSocket
  readonly #closed: Promise<number>
  #hear: (type: string) => void = () => undefined

  private constructor(url: string) {
    this.socket = new WebSocket(url, { perMessageDeflate: false })
    this.socket.on('error', () => undefined)
    this.socket.on('message', (data) => this.#hear((JSON.parse(String(data)) as { type: string }).type))
    this.#closed = new Promise((resolve) => void this.socket.once('close', resolve))
  }

  static async open(url: string): Promise<SoakClient> {
    const client = new SoakClient(url)
    await inTime('the handshake', once(client.socket, 'open'))
    return client
  }

  /** Sends an utterance. */
  speak(): void {
    for (let frame = 0; frame < 3; frame += 1) this.socket.send(append)
    this.socket.send(commit)
  }

  /** Sends audio continuously, so that the session is never idle. Returns a function that stops it. */
  keepTalking(): () => void {
    const timer = setInterval(() => this.socket.send(append), 250)
    return () => clearInterval(timer)
  }

  /** Waits for the next event of this type. */
  hear(type: string): Promise<void> {
    const heard = new Promise<void>((resolve) => {
      this.#hear = (receivedType) => receivedType === type && resolve()
    })
    return inTime(type, heard)
  }

  /** Closes the socket with a close frame. */
  leave(): Promise<number> {
    this.socket.close(1000)
    return this.closed()
  }

  closed(): Promise<number> {
    return inTime('the close', this.#closed)
  }
}

async function inTime<Value>(what: string, promise: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} did not arrive in time`)), patienceMilliseconds)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
