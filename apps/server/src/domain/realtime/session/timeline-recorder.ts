import type { ExchangeRecord } from '../../../ports/realtime-exchange-store.js'
import type { Timers } from '../../../ports/timers.js'
import type { ProviderEvent } from '../protocol/provider-event.js'
import { Latencies } from '../timeline/latencies.js'
import { type StartedCall, Timeline } from '../timeline/timeline.js'
import type { SessionLog } from './session-log.js'

export interface TimelineRecorderOptions {
  readonly timers: Timers
  readonly log: SessionLog
  /** The monotonic time at which the session started. */
  readonly startedAt: number
  readonly replayedItemIds: readonly string[]
}

/** Tells the timeline what happens and when, and has each exchange stored once it is over. */
export class TimelineRecorder {
  readonly #timers: Timers
  readonly #log: SessionLog
  readonly #timeline: Timeline
  readonly #latencies = new Latencies()

  constructor({ timers, log, startedAt, replayedItemIds }: TimelineRecorderOptions) {
    this.#timers = timers
    this.#log = log
    this.#timeline = new Timeline(startedAt, replayedItemIds)
  }

  observe(event: ProviderEvent): void {
    this.#store(this.#timeline.observe(event, this.#timers.monotonic()))
  }

  observeAudio(at: number): void {
    this.#timeline.observeAudio(at)
  }

  startCall(call: StartedCall): void {
    this.#timeline.startCall(call, this.#timers.monotonic())
  }

  awaitPerson(callId: string, isAwaited: boolean): void {
    this.#timeline.awaitPerson(callId, isAwaited, this.#timers.monotonic())
  }

  /** Also after the end of the session: tools that run go on. */
  endCall(callId: string): void {
    this.#store(this.#timeline.endCall(callId, this.#timers.monotonic()))
  }

  end(): void {
    this.#store(this.#timeline.end(this.#timers.monotonic()))
  }

  #store(exchanges: readonly ExchangeRecord[]): void {
    for (const exchange of exchanges) {
      this.#latencies.add(exchange)
      this.#log.saveExchange(exchange, this.#latencies.summary)
    }
  }
}
