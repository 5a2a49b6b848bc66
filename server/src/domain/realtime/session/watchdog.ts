import type { FrameSocket } from '../../../ports/frame-socket.js'
import type { Timers } from '../../../ports/timers.js'

const tickMilliseconds = 1000
/** Ticks fall on multiples of this: the process wakes up for many sessions at once, not for each of them. */
const slotMilliseconds = 100
const pingMilliseconds = 20_000
const pongsToMiss = 2

/** One side of the relay, as far as its life is watched. */
export interface WatchedSocket {
  readonly socket: FrameSocket
  /** Not read at present, so its pongs cannot come either. */
  readonly isPaused: () => boolean
  readonly onLost: () => void
}

export interface WatchdogConfig {
  readonly maxSessionSeconds: number
  readonly idleTimeoutSeconds: number
}

export interface WatchdogOptions {
  readonly timers: Timers
  readonly config: WatchdogConfig
  /** When the last data frame went by, in either direction. */
  readonly lastFrameAt: () => number
  /** Whether something is going on that needs no frames: a response, a tool, a person who thinks. */
  readonly isBusy: () => boolean
  readonly end: (reason: 'max_duration' | 'idle_timeout', message: string) => void
}

/** The pings of one socket. */
interface Pings {
  missed: number
  nextAt: number
}

/**
 * Checks once a second whether the session has lasted too long, is idle, or has lost one of its sides. Frames only note
 * the time; no timer is touched for them.
 */
export class Watchdog {
  readonly #options: WatchdogOptions
  readonly #startedAt: number
  readonly #watched = new Map<WatchedSocket, Pings>()
  #idleSince: number
  #cancel: () => void

  constructor(options: WatchdogOptions) {
    this.#options = options
    this.#startedAt = options.timers.monotonic()
    this.#idleSince = this.#startedAt
    this.#cancel = this.#tickAfter(this.#startedAt)
  }

  /** Pings this socket from now on; what is returned is to be called at each pong. */
  watch(watched: WatchedSocket): () => void {
    const pings = { missed: 0, nextAt: this.#options.timers.monotonic() + pingMilliseconds }
    this.#watched.set(watched, pings)
    return () => {
      pings.missed = 0
    }
  }

  stop(): void {
    this.#cancel()
    this.#watched.clear()
  }

  #tickAfter(now: number): () => void {
    const next = Math.round((now + tickMilliseconds) / slotMilliseconds) * slotMilliseconds
    return this.#options.timers.after(next - now, () => this.#tick())
  }

  #tick(): void {
    const { timers, config, lastFrameAt, isBusy, end } = this.#options
    const { maxSessionSeconds, idleTimeoutSeconds } = config
    const now = timers.monotonic()
    this.#cancel = this.#tickAfter(now)
    if (now - this.#startedAt >= maxSessionSeconds * 1000)
      return end('max_duration', `The session has lasted ${maxSessionSeconds} seconds, the longest it may.`)
    this.#idleSince = isBusy() ? now : Math.max(this.#idleSince, lastFrameAt())
    if (now - this.#idleSince >= idleTimeoutSeconds * 1000)
      return end('idle_timeout', `Nothing has happened for ${idleTimeoutSeconds} seconds.`)
    for (const [watched, pings] of this.#watched) ping(watched, pings, now)
  }
}

function ping({ socket, isPaused, onLost }: WatchedSocket, pings: Pings, now: number): void {
  // Its pongs wait behind what else it has sent, also for a while after it is read again.
  if (isPaused()) pings.missed = 0
  if (now < pings.nextAt || isPaused()) return
  if (pings.missed >= pongsToMiss) return onLost()
  pings.missed += 1
  pings.nextAt = now + pingMilliseconds
  socket.ping()
}
