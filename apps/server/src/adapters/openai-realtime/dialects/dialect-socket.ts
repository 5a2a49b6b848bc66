import type { FrameSocket, FrameSocketEvents } from '@parley/relay-socket'
import { type Dialect, type Fields, isFields } from './dialect.js'

/** The beginning of a frame in which its type is searched without parsing. */
const searchedBytes = 200
const audioAppend = Buffer.from('"input_audio_buffer.append"')

/** The socket of a provider with another dialect. To its owner it speaks OpenAI's realtime protocol. */
export class DialectSocket implements FrameSocket {
  readonly #socket: FrameSocket
  readonly #dialect: Dialect

  constructor(socket: FrameSocket, dialect: Dialect) {
    this.#socket = socket
    this.#dialect = dialect
  }

  get bufferedBytes(): number {
    return this.#socket.bufferedBytes
  }

  listen(events: FrameSocketEvents): void {
    this.#socket.listen({
      ...events,
      frame: (data, isBinary) => {
        if (isBinary) events.frame(data, isBinary)
        else for (const frame of this.#received(data)) events.frame(frame, false)
      },
    })
  }

  send(data: Buffer | string, isBinary: boolean, onFlushed?: () => void): void {
    const isAudio = Buffer.isBuffer(data) && data.subarray(0, searchedBytes).includes(audioAppend)
    this.#socket.send(isBinary || isAudio ? data : this.#sent(data), isBinary, onFlushed)
  }

  ping(): void {
    this.#socket.ping()
  }

  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason)
  }

  #sent(data: Buffer | string): Buffer | string {
    const event = parse(data)
    return event === null ? data : JSON.stringify(this.#dialect.toProvider(event))
  }

  #received(data: Buffer): readonly Buffer[] {
    const audio = this.#dialect.audioFrame(data)
    if (audio !== null) return [audio]
    const event = parse(data)
    if (event === null) return [data]
    return this.#dialect.fromProvider(event).map((converted) => {
      // The type comes first, so that the relay finds it without parsing.
      const { type, ...rest } = converted
      return Buffer.from(JSON.stringify({ type, ...rest }))
    })
  }
}

function parse(data: Buffer | string): Fields | null {
  try {
    const value: unknown = JSON.parse(data.toString())
    return isFields(value) ? value : null
  } catch {
    return null
  }
}
