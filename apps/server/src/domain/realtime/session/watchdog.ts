import type { FrameSocket } from '@parley/relay-socket'
import type { RealtimeMetrics, RelayCounters } from '../../../ports/metrics.js'
import type { Timers } from '../../../ports/time.js'
import type { ReadGate } from '../relay/relay-side.js'
import type { SessionListener, SocketActivity } from '../session-listener.js'

const pingMilliseconds = 20_000
const maxMissedPongs = 2
/** The delay before the next attempt to ping a paused socket. */
const pausedMilliseconds = 1000

/** A socket that is pinged. */
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
  /** Returns whether the session waits for a response, a tool or an approval, and is therefore not idle. */
  readonly isBusy: () => boolean
  readonly listener: Pick<SessionListener, 'end'>
}

/** The ping state of one socket. */
interface Pings {
  missed: number
  nextAt: number
  /** The socket's pause count at the last ping. */
  pauseCount: number
}

/**
 * Ends a session that has reached its maximum duration, is idle, or has lost a socket. A single timer is set
 * for the earliest of these times. Frames only update the time of the last activity. If the timer fires after
 * recent activity, it is set again.
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

  /** Starts to ping this socket. The returned functions must be called at each pong, and when the socket is closed. */
  watch(watched: WatchedSocket): { readonly pong: () => void; readonly stop: () => void } {
    const nextAt = this.#options.timers.monotonic() + pingMilliseconds
    const pings = { missed: 0, nextAt, pauseCount: watched.gate.pauseCount }
    this.#watched.set(watched, pings)
    if (nextAt < this.#dueAt) this.#arm()
    return {
      pong: () => {
        pings.missed = 0
      },
      stop: () => void this.#watched.delete(watched),
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
      if (hasMissedPongs(watched, pings, now)) {
        this.#watched.delete(watched)
        this.#arm()
        return watched.onLost()
      }
      ping(watched, pings, now)
    }
    this.#arm()
  }
}

function hasMissedPongs({ gate }: WatchedSocket, pings: Pings, now: number): boolean {
  // The pongs of a paused socket are queued behind its other frames, which takes a while even after reading
  // resumes.
  if (gate.isPaused || gate.pauseCount !== pings.pauseCount) pings.missed = 0
  return now >= pings.nextAt && pings.missed >= maxMissedPongs
}

function ping({ socket, gate }: WatchedSocket, pings: Pings, now: number): void {
  if (now < pings.nextAt) return
  pings.pauseCount = gate.pauseCount
  pings.nextAt = now + (gate.isPaused ? pausedMilliseconds : pingMilliseconds)
  if (gate.isPaused) return
  pings.missed += 1
  socket.ping()
}

interface TrafficParts {
  readonly timers: Timers
  readonly metrics: RealtimeMetrics
  readonly listener: Pick<SessionListener, 'firstAudio'>
  readonly outputBytesPerMillisecond: number
}

/**
 * Counts the frames of a session, and measures the last activity and the time to the first audio of an
 * answer. It is called for every frame, so it only adds numbers and inspects only the first audio frame of an
 * answer.
 */
export class Traffic implements SocketActivity {
  readonly #timers: Timers
  readonly #metrics: RealtimeMetrics
  readonly #relayed: RelayCounters
  readonly #listener: Pick<SessionListener, 'firstAudio'>
  /**
   * Initialized with numbers, because V8 allocates a heap number for every change of a field that was
   * undefined before.
   */
  #lastActivityAt = 0
  #lastProviderFrameAt = 0
  /** When the client has played all audio, if it plays without pauses. */
  #playedAt = 0
  readonly #bytesPerMillisecond: number
  /** When the current answer became due. Null after its first audio. */
  #answerDueSince: number | null = null
  /** Whether the next audio is the first one since an answer became due or a response was created. */
  #isAudioAwaited = false

  constructor({ timers, metrics, listener, outputBytesPerMillisecond }: TrafficParts) {
    this.#timers = timers
    this.#bytesPerMillisecond = outputBytesPerMillisecond
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

  /** How long the provider has sent nothing, and the client has nothing left to play. */
  get silentMilliseconds(): number {
    return this.#timers.monotonic() - Math.max(this.#lastProviderFrameAt, this.#playedAt)
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

  /** Called when the user stops speaking or the client requests a response. */
  noteAnswerDue(): void {
    this.#answerDueSince = this.#lastActivityAt
    this.#isAudioAwaited = true
  }

  noteResponseCreated(): void {
    this.#isAudioAwaited = true
  }

  /** Called for an audio frame of this size. Providers send the audio faster than clients play it. */
  noteAudioFrame(bytes: number): void {
    const milliseconds = bytes / this.#bytesPerMillisecond
    this.#playedAt = Math.max(this.#playedAt, this.#lastActivityAt) + milliseconds
    this.noteAudio()
  }

  /** Called when the user interrupts the playback. */
  noteInterruption(): void {
    this.#playedAt = this.#lastActivityAt
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
