import { type FrameShape, type StampedFrame, usualShape } from '@parley/stage/load/frames'
import { microseconds } from '@parley/stage/load/stamp'
import { Latencies, type LatencyCounts } from './latencies.js'
import type { Listener, LoadSocket } from './wire/load-socket.js'

const beatMilliseconds = 1
/** A socket with this many unsent bytes is skipped, so that no backlog grows in the generator. */
const maxWaitingBytes = 128 * 1024

/** The messages that one side received between a mark and its report. */
export interface SideReport {
  readonly received: number
  readonly skipped: number
  readonly latencies: LatencyCounts
}

/** The messages that one side sent and received since the start of the stream. */
export interface SideCount {
  readonly sent: number
  readonly received: number
}

/** The load on the sessions. */
export interface Stream {
  /** Per session. */
  readonly framesPerSecond: number
  readonly shape?: FrameShape
  /** How many frames the provider sends at once. Real models produce audio faster than it is heard. */
  readonly burst?: number
  /** How many of the sessions talk. The default is all. */
  readonly sessions?: number
}

export interface LoadSideOptions {
  readonly makeFrame: (shape: FrameShape) => StampedFrame
  readonly canBurst: boolean
}

/**
 * One side of the load, client or provider. Sends frames at an even pace on all its sockets, and counts the
 * received ones.
 */
export class LoadSide {
  readonly #options: LoadSideOptions
  readonly #sockets: LoadSocket[] = []
  #frame: StampedFrame
  #beat: NodeJS.Timeout | undefined
  #latencies = new Latencies()
  #received = 0
  #skipped = 0
  #sentInAll = 0
  #receivedInAll = 0

  constructor(options: LoadSideOptions) {
    this.#options = options
    this.#frame = options.makeFrame(usualShape)
  }

  /** Returns the listener of one socket. Other messages than those of the load go to `onOther`. */
  listener(onOther: (message: Buffer) => void): Listener {
    return { onLoad: (sentAt) => this.#receive(sentAt), onOther }
  }

  add(socket: LoadSocket): void {
    this.#sockets.push(socket)
  }

  /** Sends this many frames per second on each socket, evenly spread, until the next `pause`. */
  stream({ framesPerSecond, shape = usualShape, burst = 1, sessions }: Stream): undefined {
    this.#frame = this.#options.makeFrame(shape)
    const sockets = this.#sockets.slice(0, sessions)
    const inOneGo = this.#options.canBurst ? burst : 1
    const framesPerMicrosecond = (framesPerSecond * sockets.length) / 1e6
    const startedAt = microseconds()
    let sent = 0
    this.#sentInAll = 0
    this.#receivedInAll = 0
    clearInterval(this.#beat)
    this.#beat = setInterval(() => {
      const frames = (microseconds() - startedAt) * framesPerMicrosecond
      const due = Math.floor(frames / inOneGo) * inOneGo
      // If the timer is late by more than one frame per socket, skips the missed frames.
      const missed = Math.max(0, due - sent - sockets.length * inOneGo)
      this.#skipped += missed
      for (sent += missed; sent < due; sent += 1)
        this.#send(sockets[Math.floor(sent / inOneGo) % sockets.length])
    }, beatMilliseconds)
  }

  #send(socket: LoadSocket | undefined): void {
    if (socket?.hasRoom(maxWaitingBytes) !== true) {
      this.#skipped += 1
      return
    }
    this.#sentInAll += 1
    socket.sendFrame(this.#frame)
  }

  #receive(sentAt: number): void {
    this.#received += 1
    this.#receivedInAll += 1
    this.#latencies.add(microseconds() - sentAt)
  }

  count(): SideCount {
    return { sent: this.#sentInAll, received: this.#receivedInAll }
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
