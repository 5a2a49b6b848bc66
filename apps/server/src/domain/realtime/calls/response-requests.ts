import type { Timers } from '../../../ports/timers.js'
import type { ProviderErrorEvent, ProviderEvent } from '../protocol/provider-event.js'
import { isServiceEventId, newServiceEventId } from '../protocol/service-event.js'
import { stepSequencer } from './response-sequencer.js'
import { awaitedOf, hasActiveResponse, idleSequencer, ownRequestOf, responseKey, type SequencerEvent } from './sequencer-state.js'

const retryMilliseconds = 1000
/**
 * After how much quiet of the provider what is awaited is taken for lost: a request that got neither a response nor a
 * refusal, a response whose end an answer waits for. `most` is for providers that are never quiet.
 */
const patience = {
  request: { quietMilliseconds: 10_000, mostMilliseconds: 30_000 },
  responses: { quietMilliseconds: 30_000, mostMilliseconds: 120_000 },
} as const
const alreadyActive = 'conversation_already_has_active_response'

export interface ResponseRequestsOptions {
  readonly timers: Timers
  /** When the provider has last sent anything. */
  readonly lastProviderFrameAt: () => number
  readonly send: (event: object) => void
  /** Something that kept the session from being idle is over. */
  readonly onActivity: () => void
}

/** Requests responses when the sequencer says so, and lets time pass for it. */
export class ResponseRequests {
  readonly #options: ResponseRequestsOptions
  #sequencer = idleSequencer
  /** The last response came in writing, as it was requested; what follows its calls is part of the same answer. */
  #isTextOnly = false
  #requestEventId: string | null = null
  #awaitedSince = 0
  #cancelRetry: () => void = () => undefined
  #cancelCheck: (() => void) | null = null

  constructor(options: ResponseRequestsOptions) {
    this.#options = options
  }

  get hasActiveResponse(): boolean {
    return hasActiveResponse(this.#sequencer)
  }

  /** To be called with every event before its calls are read: a provider may leave out that a response has begun. */
  noteResponse(event: ProviderEvent): void {
    if (event.type === 'response.created' || !('responseId' in event) || event.responseId === null) return
    this.step({ type: 'responseSeen', responseId: event.responseId })
  }

  observe(event: ProviderEvent): void {
    switch (event.type) {
      case 'response.created':
        if (!event.isOutOfBand) this.#isTextOnly = event.isTextOnly
        this.step({
          type: 'responseCreated',
          responseId: responseKey(event),
          isOutOfBand: event.isOutOfBand,
        })
        break
      case 'response.done':
        this.step({
          type: 'responseDone',
          responseId: responseKey(event),
          isCancelled: event.status === 'cancelled',
        })
        break
      case 'item.echoed':
        if (event.item.kind === 'call-output') this.step({ type: 'outputEchoed', callId: event.item.callId })
        break
      case 'error':
        this.#observeError(event)
    }
  }

  step(event: SequencerEvent): void {
    const before = this.#sequencer
    const { state, mustRequest } = stepSequencer(before, event)
    this.#sequencer = state
    const { timers } = this.#options
    if (state.isBackingOff && !before.isBackingOff)
      this.#cancelRetry = timers.after(retryMilliseconds, () => this.step({ type: 'retryDue' }))
    const isNewWait =
      awaitedOf(state) !== awaitedOf(before) || state.requests.length !== before.requests.length
    if (isNewWait) this.#awaitFrom(timers.monotonic())
    if (hasActiveResponse(before) && !hasActiveResponse(state)) this.#options.onActivity()
    if (mustRequest) this.#request()
  }

  end(): void {
    this.#cancelRetry()
    this.#cancelCheck?.()
  }

  #awaitFrom(now: number): void {
    this.#awaitedSince = now
    this.#cancelCheck?.()
    this.#cancelCheck = null
    const awaited = awaitedOf(this.#sequencer)
    if (awaited !== null) this.#checkAfter(patience[awaited].quietMilliseconds)
  }

  #checkAfter(milliseconds: number): void {
    this.#cancelCheck = this.#options.timers.after(milliseconds, () => this.#check())
  }

  /** Whether it has been quiet for long enough; if not, this is checked again when it may be. */
  #check(): void {
    const awaited = awaitedOf(this.#sequencer)
    if (awaited === null) return
    const { timers, lastProviderFrameAt } = this.#options
    const { quietMilliseconds, mostMilliseconds } = patience[awaited]
    const now = timers.monotonic()
    const lostAt = Math.min(
      Math.max(this.#awaitedSince, lastProviderFrameAt()) + quietMilliseconds,
      this.#awaitedSince + mostMilliseconds,
    )
    if (now < lostAt) return this.#checkAfter(lostAt - now)
    this.step({ type: awaited === 'request' ? 'requestLost' : 'responsesLost' })
  }

  #request(): void {
    const eventId = newServiceEventId()
    this.#requestEventId = eventId
    const response = this.#isTextOnly ? { response: { output_modalities: ['text'] } } : {}
    this.#options.send({ type: 'response.create', event_id: eventId, ...response })
  }

  /**
   * Providers often leave out which request an error is about: then it is ours, if we have one under way and the error
   * can only be about such a request. Every other error may have been about the client's, which must not be waited for
   * in vain; should it be still under way, ours comes behind it and is refused.
   */
  #observeError({ eventId, code }: ProviderErrorEvent): void {
    const own = ownRequestOf(this.#sequencer)
    const isOurs =
      eventId === null
        ? own === 'pending' && code === alreadyActive
        : own !== null && eventId === this.#requestEventId
    if (isOurs || eventId === null || !isServiceEventId(eventId))
      this.step({ type: 'requestRefused', isOurs })
  }
}
