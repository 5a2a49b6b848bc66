import type { FrameSocket } from '@parley/relay-socket'
import type { RealtimeMetrics, RelayCounters } from '../../../ports/metrics.js'
import type { Timers } from '../../../ports/time.js'
import type { ReadGate } from '../relay/relay-side.js'
import type { SessionListener, SocketActivity } from '../session-listener.js'

const pingMilliseconds = 20_000
const pongsToMiss = 2
/** The delay before the next attempt to ping a socket that is paused. */
const pausedMilliseconds = 1000

/** One socket that is pinged. */
interface WatchedSocket {
  readonly socket: FrameSocket
  /** While reading is paused, pongs cannot arrive. */
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
  readonly traffic: Pick<Traffic, 'lastActivityAt'>
  /** Returns whether the session waits for a response, a tool or a person, and so needs no frames. */
  readonly isBusy: () => boolean
  readonly listener: Pick<SessionListener, 'end'>
}

/** The state of the pings of one socket. */
interface Pings {
  missed: number
  nextAt: number
  /** The number of pauses of the socket at the last ping. */
  pauseCount: number
}

/**
 * Ends a session that has lasted too long, is idle, or has lost a socket. One timer is armed for the earliest of these
 * moments. Frames only record the time. If a frame came in between, the timer is armed again.
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

  /** Starts to ping this socket. The returned function must be called at each pong. */
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
    const { timers, config, traffic, isBusy, listener } = this.#options
    const { maxSessionSeconds, idleTimeoutSeconds } = config
    const now = timers.monotonic()
    if (now >= this.#maxAt)
      return listener.end(
        'max_duration',
        `The session reached its maximum duration of ${maxSessionSeconds} seconds.`,
      )
    this.#idleAt = (isBusy() ? now : traffic.lastActivityAt) + idleTimeoutSeconds * 1000
    if (now >= this.#idleAt)
      return listener.end('idle_timeout', `The session was idle for ${idleTimeoutSeconds} seconds.`)
    for (const [watched, pings] of this.#watched) {
      if (hasMissedPongs(watched, pings, now)) return watched.onLost()
      ping(watched, pings, now)
    }
    this.#arm()
  }
}

function hasMissedPongs({ gate }: WatchedSocket, pings: Pings, now: number): boolean {
  // The pongs of a paused socket queue behind its other frames, also for a while after reading resumes.
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
 * Counts the frames of a session, and measures the last activity and the time to the first audio of an answer. Called
 * for every frame, so it only adds numbers. It looks only at the first audio frame of an answer.
 */
export class Traffic implements SocketActivity {
  readonly #timers: Timers
  readonly #metrics: RealtimeMetrics
  readonly #relayed: RelayCounters
  readonly #listener: Pick<SessionListener, 'firstAudio'>
  /** Initialized with numbers, because V8 allocates a number at every change of a field that was once undefined. */
  #lastActivityAt = 0
  #lastProviderFrameAt = 0
  /** When the current answer became due, or null once its audio has begun. */
  #answerDueSince: number | null = null
  /** Whether the next audio is the first since an answer was due or a response was created. */
  #isAudioAwaited = false

  constructor(timers: Timers, metrics: RealtimeMetrics, listener: Pick<SessionListener, 'firstAudio'>) {
    this.#timers = timers
    this.#metrics = metrics
    this.#listener = listener
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

  noteActivity(): void {
    this.#lastActivityAt = this.#timers.monotonic()
  }

  /** Called when the user's speech ends or the client requests a response. */
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
    this.#listener.firstAudio(now)
  }
}
