import type { RawData, WebSocket } from 'ws'

export interface ReceivedFrame {
  readonly data: Buffer
  readonly isBinary: boolean
}

export interface SocketClose {
  readonly code: number
  readonly reason: string
}

/** Everything that arrives on a socket, in order. Tests take the frames one by one. */
export class FrameInbox {
  readonly all: ReceivedFrame[] = []
  readonly closed: Promise<SocketClose>
  #taken = 0
  #arrived: () => void = () => undefined

  constructor(socket: WebSocket) {
    socket.on('message', (data: RawData, isBinary: boolean) => {
      this.all.push({ data: data as Buffer, isBinary })
      this.#arrived()
    })
    this.closed = new Promise((resolve) => {
      socket.on('close', (code, reason) => {
        resolve({ code, reason: reason.toString() })
        this.#arrived()
      })
    })
    socket.on('error', () => undefined)
  }

  /** Returns the next frame that was not taken yet. */
  async take(): Promise<ReceivedFrame> {
    while (this.#taken >= this.all.length) {
      const arrival = new Promise<'arrived'>((resolve) => {
        this.#arrived = () => resolve('arrived')
      })
      const how = await Promise.race([arrival, this.closed])
      if (how !== 'arrived' && this.#taken >= this.all.length)
        throw new Error(`closed with ${how.code} ${how.reason}`)
    }
    const frame = this.all[this.#taken]
    this.#taken += 1
    return frame as ReceivedFrame
  }

  /** Returns the next frame as JSON. */
  async takeJson(): Promise<Record<string, unknown>> {
    const { data } = await this.take()
    return JSON.parse(data.toString()) as Record<string, unknown>
  }

  /** Returns the next JSON frame of this type and skips the frames before it. */
  async takeType(type: string): Promise<Record<string, unknown>> {
    for (;;) {
      const event = await this.takeJson()
      if (event.type === type) return event
    }
  }

  /** The types of all JSON frames so far. */
  get types(): unknown[] {
    return this.all
      .filter((frame) => !frame.isBinary)
      .map((frame) => (JSON.parse(frame.data.toString()) as { type: unknown }).type)
  }
}
