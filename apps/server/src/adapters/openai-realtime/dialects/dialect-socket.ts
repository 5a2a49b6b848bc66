import type { FrameSocket, FrameSocketEvents } from '@parley/relay-socket'
import { type Dialect, type Fields, isFields } from './dialect.js'

/** The beginning of a frame in which its type is searched without parsing. */
const searchedBytes = 200
const audioAppend = Buffer.from('"input_audio_buffer.append"')

/** The socket of a provider with another dialect. To its owner it speaks OpenAI's realtime protocol. */
export class DialectSocket implements FrameSocket {
  readonly #socket: FrameSocket
  readonly #dialect: Dialect
  #emit: (frame: Buffer) => void = () => undefined

  constructor(socket: FrameSocket, dialect: Dialect) {
    this.#socket = socket
    this.#dialect = dialect
  }

  get bufferedBytes(): number {
    return this.#socket.bufferedBytes
  }

  listen(events: FrameSocketEvents): void {
    this.#emit = (frame) => events.frame(frame, false)
    this.#socket.listen({
      ...events,
      frame: (data, isBinary) => {
        if (isBinary) events.frame(data, isBinary)
        else for (const frame of this.#received(data)) this.#emit(frame)
      },
    })
  }

  send(data: Buffer | string, isBinary: boolean, onFlushed?: () => void): void {
    const isAudio = Buffer.isBuffer(data) && data.subarray(0, searchedBytes).includes(audioAppend)
    const event = isBinary || isAudio ? null : parse(data)
    if (event === null) return this.#socket.send(data, isBinary, onFlushed)
    const converted = this.#dialect.toProvider(event)
    if ('event' in converted) return this.#socket.send(JSON.stringify(converted.event), false, onFlushed)
    // The owner must not receive a frame while it sends one.
    queueMicrotask(() => {
      this.#emit(frameOf(converted.reply))
      onFlushed?.()
    })
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

  #received(data: Buffer): readonly Buffer[] {
    const audio = this.#dialect.audioFrame(data)
    if (audio !== null) return [audio]
    const event = parse(data)
    if (event === null) return [data]
    return this.#dialect.fromProvider(event).map(frameOf)
  }
}

/** The type comes first, so that the relay finds it without parsing. */
function frameOf({ type, ...rest }: Fields): Buffer {
  return Buffer.from(JSON.stringify({ type, ...rest }))
}

function parse(data: Buffer | string): Fields | null {
  try {
    const value: unknown = JSON.parse(data.toString())
    return isFields(value) ? value : null
  } catch {
    return null
  }
}
