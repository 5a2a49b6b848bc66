import type { FrameSocket, FrameSocketEvents } from '@parley/relay-socket'
import type { ProviderConnection } from '../../../ports/realtime-provider.js'
import { fieldsOf, parseFields } from '../../realtime-dialects/json-fields.js'

/** More frames than this before the server's first one are not kept. The server is then taken for a current one. */
const maxKeptFrames = 256

const normalClosure = 1000
const abnormalClosure = 1006

/** Returns whether a server's first frame shows that it speaks the names of OpenAI's beta. */
function isBetaFrame(frame: Buffer): boolean {
  const { type, session } = parseFields(frame) ?? {}
  const { audio, modalities, input_audio_format } = fieldsOf(session)
  return type === 'session.created' && audio === undefined && (modalities ?? input_audio_format) !== undefined
}

interface KeptFrame {
  readonly data: Buffer | string
  readonly isBinary: boolean
}

/*
 * The socket of a server whose protocol is not known yet. Everything is sent in the current protocol at once. If the server's
 * first frame is one of the beta, the frames so far are sent again on a second socket, which speaks the beta.
 *
 *   undecided ──first frame──► current
 *       └──first frame of the beta──► opening the second socket ──► beta
 */
export class DetectingSocket implements FrameSocket {
  readonly #openBeta: (signal: AbortSignal) => Promise<ProviderConnection>
  readonly #opening = new AbortController()
  /** Null while the second socket is opened. */
  #socket: FrameSocket | null
  #events: FrameSocketEvents | null = null
  #kept: KeptFrame[] | null = []
  #isPaused = false
  #isClosed = false

  constructor(socket: FrameSocket, openBeta: (signal: AbortSignal) => Promise<ProviderConnection>) {
    this.#socket = socket
    this.#openBeta = openBeta
  }

  get bufferedBytes(): number {
    return this.#socket?.bufferedBytes ?? (this.#kept ?? []).reduce((sum, { data }) => sum + data.length, 0)
  }

  listen(events: FrameSocketEvents): void {
    this.#events = events
    const first = this.#socket
    first?.listen({
      ...events,
      frame: (data, isBinary) => {
        if (this.#socket !== first) return
        if (this.#kept !== null && !isBinary && isBetaFrame(data)) return void this.#moveToBeta(events)
        this.#kept = null
        events.frame(data, isBinary)
      },
      closed: (code, reason) => {
        if (this.#socket === first) events.closed(code, reason)
      },
    })
  }

  send(data: Buffer | string, isBinary: boolean, onFlushed?: () => void): void {
    if (this.#kept !== null) this.#keep({ data, isBinary })
    if (this.#socket !== null) this.#socket.send(data, isBinary, onFlushed)
    else if (onFlushed !== undefined) queueMicrotask(onFlushed)
  }

  ping(): void {
    this.#socket?.ping()
  }

  pause(): void {
    this.#isPaused = true
    this.#socket?.pause()
  }

  resume(): void {
    this.#isPaused = false
    this.#socket?.resume()
  }

  close(code: number, reason: string): void {
    if (this.#socket !== null) return this.#socket.close(code, reason)
    this.#opening.abort()
    this.#reportClosed(code, reason)
  }

  #keep(frame: KeptFrame): void {
    this.#kept?.push(frame)
    if (this.#socket !== null && (this.#kept?.length ?? 0) > maxKeptFrames) this.#kept = null
  }

  async #moveToBeta(events: FrameSocketEvents): Promise<void> {
    const first = this.#socket
    this.#socket = null
    first?.close(normalClosure, '')
    const found = await this.#openBeta(this.#opening.signal)
    if (!found.ok) return this.#reportClosed(abnormalClosure, found.detail)
    if (this.#isClosed) return found.socket.close(normalClosure, '')
    this.#socket = found.socket
    if (this.#isPaused) found.socket.pause()
    const kept = this.#kept ?? []
    this.#kept = null
    for (const { data, isBinary } of kept) found.socket.send(data, isBinary)
    found.socket.listen(events)
  }

  #reportClosed(code: number, reason: string): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#events?.closed(code, reason)
  }
}
