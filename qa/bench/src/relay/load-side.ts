import { type FrameShape, type StampedFrame, usualShape } from '@parley/stage/load/frames'
import { microseconds } from '@parley/stage/load/stamp'
import { Latencies, type LatencyCounts } from './latencies.js'
import type { Listener, LoadSocket } from './wire/load-socket.js'

const beatMilliseconds = 1
/** A socket that is this far behind is passed over: the load must not pile up in its own generator. */
const maxWaitingBytes = 128 * 1024

/** What one side took in between a mark and its report. */
export interface SideReport {
  readonly received: number
  readonly skipped: number
  readonly latencies: LatencyCounts
}

/** What one side has sent and taken in since it last began to send. */
export interface SideCount {
  readonly sent: number
  readonly received: number
}

/** What is sent. */
export interface Stream {
  /** On each session. */
  readonly framesPerSecond: number
  readonly shape?: FrameShape
  /** How many a provider sends in one go: it makes sound faster than that is heard. */
  readonly burst?: number
  /** How many of the sessions talk; all of them unless it is said. */
  readonly sessions?: number
}

export interface LoadSideOptions {
  readonly makeFrame: (shape: FrameShape) => StampedFrame
  readonly canBurst: boolean
}

/** One side of the load, client or provider: sends frames at an even pace on all its sockets, counts what comes in. */
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

  /** What listens to one of its sockets. Messages that are none of the load are given to `onOther`. */
  listener(onOther: (message: Buffer) => void): Listener {
    return { onLoad: (sentAt) => this.#receive(sentAt), onOther }
  }

  add(socket: LoadSocket): void {
    this.#sockets.push(socket)
  }

  /** Sends so many frames a second on each socket, spread evenly, until it is stopped. */
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
      // Late by more than a frame for every socket: what was missed is not made up for.
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
