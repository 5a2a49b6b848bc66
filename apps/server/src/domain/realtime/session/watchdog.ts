import type { FrameSocket } from '../../../ports/frame-socket.js'
import type { Timers } from '../../../ports/timers.js'
import type { ReadGate } from '../relay/relay-side.js'
import type { RealtimeMetrics, RelayCounters } from '../../../ports/realtime-metrics.js'

const pingMilliseconds = 20_000
const pongsToMiss = 2
/** How soon a socket that could not be pinged because it is not read is tried again. */
const pausedMilliseconds = 1000

/** One side of the relay, as far as its life is watched. */
interface WatchedSocket {
  readonly socket: FrameSocket
  /** While it is not read, its pongs cannot come either. */
  readonly gate: ReadGate
  readonly onLost: () => void
}

export interface WatchdogConfig {
  readonly maxSessionSeconds: number
  readonly idleTimeoutSeconds: number
}

interface WatchdogOptions {
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

/**
 * Counts the frames of a session, and measures when something last happened and how soon an answer's audio begins. Called
 * for every frame, so it does no more than add numbers; of audio, the first frame alone is looked at.
 */
export class Traffic {
  readonly #timers: Timers
  readonly #metrics: RealtimeMetrics
  readonly #relayed: RelayCounters
  readonly #onFirstAudio: (at: number) => void
  /** Numbers from the beginning on: of a field that was once undefined, V8 makes a new number at every change. */
  #lastActivityAt = 0
  #lastProviderFrameAt = 0
  /** When an answer was last due; null once its audio has begun. */
  #answerDueSince: number | null = null
  /** Whether the next audio is the first since an answer was due or a response was created. */
  #isAudioAwaited = false

  /** `onFirstAudio` gets the moment of the first audio of each response. */
  constructor(timers: Timers, metrics: RealtimeMetrics, onFirstAudio: (at: number) => void) {
    this.#timers = timers
    this.#metrics = metrics
    this.#onFirstAudio = onFirstAudio
    this.#relayed = metrics.relayed
    this.#lastActivityAt = timers.monotonic()
    this.#lastProviderFrameAt = this.#lastActivityAt
  }

  get lastActivityAt(): number {
    return this.#lastActivityAt
  }

  get lastProviderFrameAt(): number {
    return this.#lastProviderFrameAt
  }

  countClientFrame(bytes: number): void {
    this.#lastActivityAt = this.#timers.monotonic()
    this.#relayed.clientFrames += 1
    this.#relayed.clientBytes += bytes
  }

  countProviderFrame(bytes: number): void {
    this.#lastActivityAt = this.#timers.monotonic()
    this.#lastProviderFrameAt = this.#lastActivityAt
    this.#relayed.providerFrames += 1
    this.#relayed.providerBytes += bytes
  }

  /** Something is over that kept the session busy without frames. */
  noteActivity(): void {
    this.#lastActivityAt = this.#timers.monotonic()
  }

  /** The user's speech has ended, or the client has requested a response: from now on an answer is due. */
  noteAnswerDue(): void {
    this.#answerDueSince = this.#lastActivityAt
    this.#isAudioAwaited = true
  }

  noteResponseCreated(): void {
    this.#isAudioAwaited = true
  }

  noteAudio(): void {
    if (!this.#isAudioAwaited) return
    this.#isAudioAwaited = false
    const now = this.#timers.monotonic()
    if (this.#answerDueSince !== null) this.#metrics.firstAudio((now - this.#answerDueSince) / 1000)
    this.#answerDueSince = null
    this.#onFirstAudio(now)
  }
}
