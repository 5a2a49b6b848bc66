import type { RawData, WebSocket } from 'ws'
import { microseconds, type StampedFrame } from './frames.js'
import { Latencies, type LatencyCounts } from './latencies.js'

const beatMilliseconds = 1
/** A socket that is this far behind is passed over: the load must not pile up in its own generator. */
const maxBufferedBytes = 128 * 1024

/** What one side took in between a mark and its report. */
export interface SideReport {
  readonly received: number
  readonly skipped: number
  readonly latencies: LatencyCounts
}

/** One side of the load, client or provider: sends frames at an even pace on all its sockets, counts what comes in. */
export class LoadSide {
  readonly #sends: StampedFrame
  readonly #receives: StampedFrame
  readonly #sockets: WebSocket[] = []
  #beat: NodeJS.Timeout | undefined
  #latencies = new Latencies()
  #received = 0
  #skipped = 0

  constructor(sends: StampedFrame, receives: StampedFrame) {
    this.#sends = sends
    this.#receives = receives
  }

  /** Takes a socket in. Frames that are none of the load are given to `other`. */
  add(socket: WebSocket, other: (frame: Buffer) => void): void {
    this.#sockets.push(socket)
    socket.on('error', () => undefined)
    socket.on('message', (data: RawData) => {
      const sentAt = this.#receives.sentAt(data as Buffer)
      if (sentAt === null) return other(data as Buffer)
      this.#received += 1
      this.#latencies.add(microseconds() - sentAt)
    })
  }

  /** Sends so many frames a second on each socket, spread evenly, until it is stopped. */
  stream(framesPerSecond: number): undefined {
    const framesPerMicrosecond = (framesPerSecond * this.#sockets.length) / 1e6
    const startedAt = microseconds()
    let sent = 0
    this.#beat = setInterval(() => {
      const due = Math.floor((microseconds() - startedAt) * framesPerMicrosecond)
      // Late by more than a frame for every socket: what was missed is not made up for.
      const missed = Math.max(0, due - sent - this.#sockets.length)
      this.#skipped += missed
      for (sent += missed; sent < due; sent += 1) this.#send(sent)
    }, beatMilliseconds)
  }

  #send(turn: number): void {
    const socket = this.#sockets[turn % this.#sockets.length]
    if (socket && socket.bufferedAmount < maxBufferedBytes) socket.send(this.#sends.make(), { binary: false })
    else this.#skipped += 1
  }

  mark(): undefined {
    this.#latencies = new Latencies()
    this.#received = 0
    this.#skipped = 0
  }

  report(): SideReport {
    return { received: this.#received, skipped: this.#skipped, latencies: this.#latencies.counts }
  }

  pause(): undefined {
    clearInterval(this.#beat)
  }
}
