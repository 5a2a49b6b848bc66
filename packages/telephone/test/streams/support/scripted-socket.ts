import type { StreamSocket, StreamSocketEvents } from '#telephone/streams/stream-socket.js'

/** A media socket whose far end is the test. */
export class ScriptedSocket implements StreamSocket {
  bufferedBytes = 0
  readonly sent: (string | Buffer)[] = []
  closedWith: number | null = null
  #events: StreamSocketEvents | null = null

  listen(events: StreamSocketEvents): void {
    this.#events = events
  }

  send(data: Buffer | string, isBinary: boolean): void {
    if (this.closedWith === null) this.sent.push(isBinary ? Buffer.from(data) : data.toString())
  }

  close(code: number): void {
    this.closedWith ??= code
  }

  /** Delivers a message of the carrier. Objects are sent as JSON. */
  deliver(message: object | string | Buffer): void {
    if (Buffer.isBuffer(message)) this.#events?.frame(message, true)
    else {
      this.#events?.frame(Buffer.from(typeof message === 'string' ? message : JSON.stringify(message)), false)
    }
  }

  disconnect(code = 1006): void {
    this.#events?.closed(code, '')
  }

  tooBig(): void {
    this.#events?.tooBig()
  }

  /** The JSON messages that were sent. */
  messages(): Record<string, unknown>[] {
    return this.sent.filter((frame) => typeof frame === 'string').map((frame) => JSON.parse(frame))
  }

  /** Removes and returns the JSON messages that were sent. */
  take(): Record<string, unknown>[] {
    const messages = this.messages()
    this.sent.length = 0
    return messages
  }
}
