import type { ChangeSignals } from '../../ports/changes.js'
import type { Caller } from '../caller-scope.js'
import { DomainError } from '../domain-error.js'
import type { Limits } from '../limits/organization-limits.js'
import {
  LiveStream,
  OrganizationWatch,
  type StreamEnd,
  type WatchDependencies,
} from './organization-watch.js'

/** Each check is followed by a heartbeat. */
const checkMilliseconds = 10_000
const checkWaitMilliseconds = 5000
/**
 * How long a stream stays open while the database is unavailable, so that its caller's rights cannot be
 * checked. No events are sent during that time.
 */
const uncheckedMilliseconds = 60_000

export interface LiveStreamsDependencies extends WatchDependencies {
  readonly limits: Limits
  readonly signals: ChangeSignals
}

export interface StreamRequest {
  readonly caller: Caller
  /** The cursor to resume from. Null for new events only. */
  readonly lastEventId: string | null
  /** Resolves with whether the caller could still open the stream with the same rights. */
  readonly isStillAllowed: () => Promise<boolean>
  /** Called once, when the stream has ended. */
  readonly onEnd: (end: StreamEnd) => void
}

interface OpenStream {
  readonly request: StreamRequest
  readonly stream: LiveStream
  readonly watch: OrganizationWatch
  checkedAt: number
  cancelCheck: () => void
}

/** The open live streams of this instance, and one watch per organization with streams. */
export class LiveStreams {
  readonly #dependencies: LiveStreamsDependencies
  readonly #watches = new Map<string, OrganizationWatch>()
  /** The functions that unsubscribe each watch from notifications of other instances. */
  readonly #subscriptions = new Map<OrganizationWatch, () => void>()
  readonly #open = new Map<LiveStream, OpenStream>()
  #isOver = false

  constructor(dependencies: LiveStreamsDependencies) {
    this.#dependencies = dependencies
  }

  async open(request: StreamRequest): Promise<LiveStream> {
    const { organizationId, scopes } = request.caller
    if (this.#isOver) throw new DomainError('Unavailable', 'This instance is shutting down. Connect again.')
    this.#requireRoom(request.caller)
    const watch = this.#watchOf(organizationId)
    const stream = new LiveStream({ scopes, onEnd: (end) => this.#forget(stream, end) })
    const checkedAt = this.#dependencies.timers.monotonic()
    const open: OpenStream = { request, stream, watch, checkedAt, cancelCheck: () => undefined }
    this.#open.set(stream, open)
    // Added before the first poll, so that events that arrive in between are queued and not lost.
    watch.streams.add(stream)
    try {
      stream.begin(await watch.firstEvents(stream, request.lastEventId))
    } catch (error) {
      stream.end('stopped')
      throw error
    }
    this.#checkLater(open)
    return stream
  }

  /** Called when this instance has written data of the organization. */
  wake(organizationId: string): void {
    this.#watches.get(organizationId)?.wake()
    this.#dependencies.signals.publish(`organization ${organizationId}`)
  }

  /** Ends all streams. Clients reconnect to another instance. */
  end(): void {
    this.#isOver = true
    for (const stream of [...this.#open.keys()]) stream.end('stopped')
  }

  /**
   * Throws if the organization has too many streams on this instance. Streams on other instances are not
   * counted, because streams are not stored.
   */
  #requireRoom({ organizationId, actor }: Caller): void {
    const { limits } = this.#dependencies
    const streams = [...(this.#watches.get(organizationId)?.streams ?? [])]
    const ofCaller = streams.filter((stream) => this.#open.get(stream)?.request.caller.actor.id === actor.id)
    if (ofCaller.length >= limits.maxima.streamsPerCaller) throw limits.refusal('streamsPerCaller')
    if (streams.length >= limits.maxima.streams) throw limits.refusal('streams')
  }

  #watchOf(organizationId: string): OrganizationWatch {
    const known = this.#watches.get(organizationId)
    if (known !== undefined) return known
    const watch = new OrganizationWatch(this.#dependencies, organizationId, () => this.#checkAll(watch))
    this.#watches.set(organizationId, watch)
    const { signals } = this.#dependencies
    this.#subscriptions.set(
      watch,
      signals.subscribe(`organization ${organizationId}`, () => watch.wake()),
    )
    return watch
  }

  #forget(stream: LiveStream, end: StreamEnd): void {
    const open = this.#open.get(stream)
    if (open === undefined) return
    const { request, watch } = open
    open.cancelCheck()
    this.#open.delete(stream)
    watch.streams.delete(stream)
    if (watch.streams.size === 0) {
      watch.stop()
      this.#subscriptions.get(watch)?.()
      this.#subscriptions.delete(watch)
      this.#watches.delete(request.caller.organizationId)
    }
    request.onEnd(end)
  }

  #checkAll(watch: OrganizationWatch): void {
    for (const stream of watch.streams) {
      const open = this.#open.get(stream)
      if (open !== undefined) void this.#check(open)
    }
  }

  #checkLater(open: OpenStream): void {
    open.cancelCheck()
    if (open.stream.isOver) return
    open.cancelCheck = this.#dependencies.timers.after(checkMilliseconds, () => void this.#check(open))
  }

  async #check(open: OpenStream): Promise<void> {
    const { timers } = this.#dependencies
    const { request, stream, watch } = open
    const look = request.isStillAllowed().catch(() => null)
    const looked = await timers.within(checkWaitMilliseconds, look)
    const isAllowed = looked.ok ? looked.value : null
    if (isAllowed === true) open.checkedAt = timers.monotonic()
    const isUnchecked = timers.monotonic() - open.checkedAt > uncheckedMilliseconds
    if (isAllowed === false || isUnchecked) return stream.end('refused')
    if (watch.cursor !== null) stream.mark(watch.cursor)
    this.#checkLater(open)
  }
}
