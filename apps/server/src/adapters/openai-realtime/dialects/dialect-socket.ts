import { type FrameSocket, type FrameSocketEvents, WrappedSocket } from '@parley/relay-socket'
import { type Fields, parseFields } from '../../realtime-dialects/json-fields.js'
import { frameOf } from '../../realtime-dialects/server-event.js'
import type { Dialect } from './dialect.js'

/** The beginning of a frame in which its type is searched without parsing. */
const searchedBytes = 200
const audioAppend = Buffer.from('"input_audio_buffer.append"')

/** The socket of a provider with another dialect. To its owner it speaks OpenAI's realtime protocol. */
export class DialectSocket extends WrappedSocket {
  readonly #dialect: Dialect
  /** Frames for a provider that has not confirmed the session. Null if it accepts all frames. */
  #held: HeldFrame[] | null
  #heldBytes = 0
  /** Replies before the owner listens. */
  readonly #early: Buffer[] = []
  #emit: (frame: Buffer) => void = (frame) => void this.#early.push(frame)

  constructor(socket: FrameSocket, dialect: Dialect) {
    super(socket)
    this.#dialect = dialect
    this.#held = dialect.waitsForConfirmation ? [] : null
  }

  override get bufferedBytes(): number {
    return this.socket.bufferedBytes + this.#heldBytes
  }

  override listen(events: FrameSocketEvents): void {
    this.#emit = (frame) => events.frame(frame, false)
    for (const frame of this.#early.splice(0)) this.#emit(frame)
    this.socket.listen({
      ...events,
      frame: (data, isBinary) => {
        if (isBinary) events.frame(data, isBinary)
        else for (const frame of this.#received(data)) this.#emit(frame)
      },
    })
  }

  override send(data: Buffer | string, isBinary: boolean, onFlushed?: () => void): void {
    const isAudio = Buffer.isBuffer(data) && data.subarray(0, searchedBytes).includes(audioAppend)
    const event = isBinary || (isAudio && !this.#dialect.convertsAudio) ? null : parseFields(data)
    if (event === null) return this.#sendOrHold({ data, isBinary, onFlushed })
    const converted = this.#dialect.toProvider(event)
    if ('event' in converted) {
      const frame = { data: JSON.stringify(converted.event), isBinary: false, onFlushed }
      return event.type === 'session.update' ? this.#send(frame) : this.#sendOrHold(frame)
    }
    // The owner must not receive a frame while it sends one.
    queueMicrotask(() => {
      this.#emit(frameOf(converted.reply))
      onFlushed?.()
    })
  }

  #sendOrHold(frame: HeldFrame): void {
    if (this.#held === null) return this.#send(frame)
    this.#held.push(frame)
    this.#heldBytes += frame.data.length
  }

  #send({ data, isBinary, onFlushed }: HeldFrame): void {
    this.socket.send(data, isBinary, onFlushed)
  }

  #release(): void {
    const frames = this.#held ?? []
    this.#held = null
    this.#heldBytes = 0
    for (const frame of frames) this.#send(frame)
  }

  #received(data: Buffer): readonly Buffer[] {
    const audio = this.#dialect.audioFrame(data)
    if (audio !== null) return [audio]
    const event = parseFields(data)
    if (event === null) return [data]
    if (event.type === 'session.updated') this.#release()
    return this.#dialect.fromProvider(event).map(typeFirst)
  }
}

interface HeldFrame {
  readonly data: Buffer | string
  readonly isBinary: boolean
  readonly onFlushed: (() => void) | undefined
}

/** The type comes first, so that the relay finds it without parsing. */
function typeFirst({ type, ...rest }: Fields): Buffer {
  return Buffer.from(JSON.stringify({ type, ...rest }))
}
