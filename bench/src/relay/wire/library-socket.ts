import WebSocket, { type RawData } from 'ws'
import { type StampedFrame, sentAt } from '../frames.js'
import type { Listener, LoadSocket } from './load-socket.js'

export const libraryOptions = { perMessageDeflate: false, skipUTF8Validation: true } as const

/** A socket of `ws`, which most clients and servers in Node are made with. */
export class LibrarySocket implements LoadSocket {
  readonly #socket: WebSocket

  constructor(socket: WebSocket, { onLoad, onOther }: Listener) {
    this.#socket = socket
    socket.on('error', () => undefined)
    socket.on('message', (data: RawData) => {
      const leftAt = sentAt(data as Buffer)
      if (leftAt === null) onOther(data as Buffer)
      else onLoad(leftAt)
    })
  }

  hasRoom(maxWaitingBytes: number): boolean {
    return this.#socket.readyState === WebSocket.OPEN && this.#socket.bufferedAmount < maxWaitingBytes
  }

  sendFrame(frame: StampedFrame): void {
    this.#socket.send(frame.make(), { binary: false })
  }

  send(event: object): void {
    this.#socket.send(JSON.stringify(event))
  }
}
