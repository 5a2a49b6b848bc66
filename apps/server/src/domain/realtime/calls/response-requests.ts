import { isServiceEventId } from '../../../ports/realtime-provider.js'
import type { Timers } from '../../../ports/time.js'
import type { ProviderErrorEvent, ProviderEvent } from '../protocol/provider-event.js'
import { newServiceEventId, responseRequest } from '../protocol/service-frames.js'
import type { SessionListener, SocketActivity } from '../session-listener.js'
import { stepSequencer } from './response-sequencer.js'
import {
  awaitedOf,
  hasActiveResponse,
  idleSequencer,
  isDue,
  ownRequestOf,
  responseKey,
  type SequencerEvent,
} from './sequencer-state.js'

const retryMilliseconds = 1000
/**
 * How long the provider must be silent before an awaited event counts as lost: the response to a request, or
 * the end of a response. `maxMilliseconds` applies to providers that are never silent.
 */
const patience = {
  request: { quietMilliseconds: 10_000, maxMilliseconds: 30_000 },
  responses: { quietMilliseconds: 30_000, maxMilliseconds: 120_000 },
} as const
const alreadyActive = 'conversation_already_has_active_response'

export interface ResponseRequestsParts {
  readonly timers: Timers
  readonly activity: SocketActivity
  readonly listener: Pick<SessionListener, 'sendToProvider' | 'end'>
}

/** The response requests that no response has answered. */
export interface PendingRequests {
  readonly isAny: boolean
  /** Whether the client has sent one of them. */
  readonly isOfClient: boolean
}

/** Sends the response requests of the sequencer, and runs its timers. */
export class ResponseRequests {
  readonly #parts: ResponseRequestsParts
  #sequencer = idleSequencer
  /** Whether the last response was text only. A response that follows its calls continues the same answer. */
  #isTextOnly = false
  #requestEventId: string | null = null
  #awaitedSince = 0
  #cancelRetry: () => void = () => undefined
  #cancelCheck: (() => void) | null = null
  #isHolding = false
  /** Sends the client's request that waits. */
  #sendHeld: (() => void) | null = null

  /** `former` are the requests of the session's former provider. */
  constructor(parts: ResponseRequestsParts, former: ResponseRequests | null = null) {
    this.#parts = parts
    this.#isTextOnly = former?.isTextOnly ?? false
  }

  get isTextOnly(): boolean {
    return this.#isTextOnly
  }

  /** The ids of the active responses, including out-of-band responses. An id may be empty. */
  get activeResponses(): readonly string[] {
    return [...this.#sequencer.activeResponses, ...this.#sequencer.outOfBandResponses]
  }

  get pending(): PendingRequests {
    const { requests, batches } = this.#sequencer
    return {
      isAny: requests.length > 0 || batches.some(isDue),
      isOfClient: requests.some(({ isOurs }) => !isOurs),
    }
  }

  get hasActiveResponse(): boolean {
    return hasActiveResponse(this.#sequencer)
  }

  /**
   * Must be called for every event before its calls are handled, because a provider may omit
   * `response.created`.
   */
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
    const { timers } = this.#parts
    if (state.isBackingOff && !before.isBackingOff)
      this.#cancelRetry = timers.after(retryMilliseconds, () => this.step({ type: 'retryDue' }))
    const isNewWait =
      awaitedOf(state) !== awaitedOf(before) || state.requests.length !== before.requests.length
    if (isNewWait) this.#awaitFrom(timers.monotonic())
    if (hasActiveResponse(before) && !hasActiveResponse(state)) this.#parts.activity.noteActivity()
    if (mustRequest) this.#request()
    if (state.requests.length + state.activeResponses.length === 0) this.endHolding()
  }

  /**
   * Called when the service has requested the answer that a lost provider owed. The client does not know of that request,
   * so the provider would refuse the client's own. It waits until no response is pending or active.
   */
  startHolding(): void {
    this.#isHolding = true
  }

  get isHolding(): boolean {
    return this.#isHolding
  }

  /** Calls `send`, which sends the client's request, when it need no longer wait. A newer request replaces it. */
  hold(send: () => void): void {
    this.#sendHeld = send
  }

  endHolding(): void {
    const send = this.#sendHeld
    this.#isHolding = false
    this.#sendHeld = null
    send?.()
  }

  /** Called when the client cancels the response that it has requested. */
  dropHeld(): void {
    this.#sendHeld = null
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
    this.#cancelCheck = this.#parts.timers.after(milliseconds, () => this.#check())
  }

  /** Reports a loss if the provider was silent for long enough. Otherwise, checks again later. */
  #check(): void {
    const awaited = awaitedOf(this.#sequencer)
    if (awaited === null) return
    const { timers, activity } = this.#parts
    const { quietMilliseconds, maxMilliseconds } = patience[awaited]
    const now = timers.monotonic()
    const lostAt = Math.min(
      Math.max(this.#awaitedSince, activity.lastProviderFrameAt) + quietMilliseconds,
      this.#awaitedSince + maxMilliseconds,
    )
    if (now < lostAt) return this.#checkAfter(lostAt - now)
    this.step({ type: awaited === 'request' ? 'requestLost' : 'responsesLost' })
  }

  #request(): void {
    const eventId = newServiceEventId()
    this.#requestEventId = eventId
    this.#parts.listener.sendToProvider(responseRequest(eventId, this.#isTextOnly))
  }

  /**
   * Providers often omit the id of the request that an error is about. The error is then assigned to the
   * service's request if one is pending and if only a request can cause such an error. Every other error may
   * be about the client's request, which then counts as refused. If the client's request is in
   * fact still pending, the provider refuses the service's next request.
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
