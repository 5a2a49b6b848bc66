import type { FrameSocket } from '../../../ports/frame-socket.js'
import type { Timers } from '../../../ports/timers.js'

const tickMilliseconds = 1000
/** Ticks fall on multiples of this: the process wakes up for many sessions at once, not for each of them. */
const slotMilliseconds = 100
const pingMilliseconds = 20_000
const pongsToMiss = 2

/** One end of the relay, as far as its life is watched. */
export interface WatchedSocket {
  readonly socket: FrameSocket
  /** Not read at present, so its pongs cannot come either. */
  readonly isHeldBack: () => boolean
  readonly onLost: () => void
}

export interface WatchdogOptions {
  readonly timers: Timers
  readonly maxSessionSeconds: number
  readonly idleTimeoutSeconds: number
  /** When the last data frame went by, in either direction. */
  readonly lastFrameAt: () => number
  /** Whether something is going on that needs no frames: a response, a tool, a person who thinks. */
  readonly isBusy: () => boolean
  readonly onMaxDuration: () => void
  readonly onIdle: () => void
}

/**
 * Looks once a second whether the session has lasted too long, has gone quiet, or has lost one of its ends. Frames only
 * note the time; no timer is touched for them.
 */
export class Watchdog {
  readonly #options: WatchdogOptions
  readonly #startedAt: number
  readonly #watched = new Map<WatchedSocket, { missed: number; nextPingAt: number }>()
  #quietSince: number
  #cancel: () => void

  constructor(options: WatchdogOptions) {
    this.#options = options
    this.#startedAt = options.timers.monotonic()
    this.#quietSince = this.#startedAt
    this.#cancel = this.#tickAfter(this.#startedAt)
  }

  /** Pings this socket from now on; the answer is to be called at each pong. */
  watch(watched: WatchedSocket): () => void {
    const life = { missed: 0, nextPingAt: this.#options.timers.monotonic() + pingMilliseconds }
    this.#watched.set(watched, life)
    return () => {
      life.missed = 0
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
    const { timers, maxSessionSeconds, idleTimeoutSeconds, lastFrameAt, isBusy, onMaxDuration, onIdle } =
      this.#options
    const now = timers.monotonic()
    this.#cancel = this.#tickAfter(now)
    if (now - this.#startedAt >= maxSessionSeconds * 1000) return onMaxDuration()
    this.#quietSince = isBusy() ? now : Math.max(this.#quietSince, lastFrameAt())
    if (now - this.#quietSince >= idleTimeoutSeconds * 1000) return onIdle()
    for (const [watched, life] of this.#watched) this.#lookAfter(watched, life, now)
  }

  #lookAfter(watched: WatchedSocket, life: { missed: number; nextPingAt: number }, now: number): void {
    // Its answers wait behind what else it has sent, also for a while after it is read again.
    if (watched.isHeldBack()) life.missed = 0
    if (now < life.nextPingAt || watched.isHeldBack()) return
    if (life.missed >= pongsToMiss) return watched.onLost()
    life.missed += 1
    life.nextPingAt = now + pingMilliseconds
    watched.socket.ping()
  }
}
