import type { FrameSocket } from '../../../ports/frame-socket.js'
import type { Timers } from '../../../ports/timers.js'
import type { ReadGate } from '../relay/read-gate.js'

const pingMilliseconds = 20_000
const pongsToMiss = 2
/** How soon a socket that could not be pinged because it is not read is tried again. */
const pausedMilliseconds = 1000

/** One side of the relay, as far as its life is watched. */
export interface WatchedSocket {
  readonly socket: FrameSocket
  /** While it is not read, its pongs cannot come either. */
  readonly gate: ReadGate
  readonly onLost: () => void
}

export interface WatchdogConfig {
  readonly maxSessionSeconds: number
  readonly idleTimeoutSeconds: number
}

export interface WatchdogOptions {
  readonly timers: Timers
  readonly config: WatchdogConfig
  /** When the last data frame went by, in either direction, or being busy ended. */
  readonly lastActivityAt: () => number
  /** Whether something is going on that needs no frames: a response, a tool, a person who thinks. */
  readonly isBusy: () => boolean
  readonly end: (reason: 'max_duration' | 'idle_timeout', message: string) => void
}

/** The pings of one socket. */
interface Pings {
  missed: number
  nextAt: number
  /** The pauses of the socket before the last ping. */
  pauseCount: number
}

/**
 * Ends a session that has lasted too long, is idle, or has lost one of its sides. One timer is armed for the next moment
 * at which any of that can be. Frames only note the time: a timer that comes too early because of them is armed again.
 */
export class Watchdog {
  readonly #options: WatchdogOptions
  readonly #startedAt: number
  readonly #watched = new Map<WatchedSocket, Pings>()
  #idleAt: number
  #dueAt = Number.POSITIVE_INFINITY
  #cancel: () => void = () => undefined

  constructor(options: WatchdogOptions) {
    this.#options = options
    this.#startedAt = options.timers.monotonic()
    this.#idleAt = this.#startedAt + options.config.idleTimeoutSeconds * 1000
    this.#arm()
  }

  /** Pings this socket from now on; what is returned is to be called at each pong. */
  watch(watched: WatchedSocket): () => void {
    const nextAt = this.#options.timers.monotonic() + pingMilliseconds
    const pings = { missed: 0, nextAt, pauseCount: watched.gate.pauseCount }
    this.#watched.set(watched, pings)
    if (nextAt < this.#dueAt) this.#arm()
    return () => {
      pings.missed = 0
    }
  }

  stop(): void {
    this.#cancel()
    this.#watched.clear()
  }

  get #maxAt(): number {
    return this.#startedAt + this.#options.config.maxSessionSeconds * 1000
  }

  #arm(): void {
    this.#cancel()
    const pingsAt = [...this.#watched.values()].map(({ nextAt }) => nextAt)
    this.#dueAt = Math.min(this.#maxAt, this.#idleAt, ...pingsAt)
    this.#cancel = this.#options.timers.after(this.#dueAt - this.#options.timers.monotonic(), () =>
      this.#check(),
    )
  }

  #check(): void {
    const { timers, config, lastActivityAt, isBusy, end } = this.#options
    const { maxSessionSeconds, idleTimeoutSeconds } = config
    const now = timers.monotonic()
    if (now >= this.#maxAt)
      return end('max_duration', `The session has lasted ${maxSessionSeconds} seconds, the longest it may.`)
    this.#idleAt = (isBusy() ? now : lastActivityAt()) + idleTimeoutSeconds * 1000
    if (now >= this.#idleAt)
      return end('idle_timeout', `Nothing has happened for ${idleTimeoutSeconds} seconds.`)
    for (const [watched, pings] of this.#watched) {
      if (hasMissedPongs(watched, pings, now)) return watched.onLost()
      ping(watched, pings, now)
    }
    this.#arm()
  }
}

function hasMissedPongs({ gate }: WatchedSocket, pings: Pings, now: number): boolean {
  // The pongs of one that was not read wait behind what else it has sent, also for a while after it is read again.
  if (gate.isPaused || gate.pauseCount !== pings.pauseCount) pings.missed = 0
  return now >= pings.nextAt && pings.missed >= pongsToMiss
}

function ping({ socket, gate }: WatchedSocket, pings: Pings, now: number): void {
  if (now < pings.nextAt) return
  pings.pauseCount = gate.pauseCount
  pings.nextAt = now + (gate.isPaused ? pausedMilliseconds : pingMilliseconds)
  if (gate.isPaused) return
  pings.missed += 1
  socket.ping()
}
