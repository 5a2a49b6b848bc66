import type { Timers } from '../../../ports/timers.js'
import type { ProviderErrorEvent, ProviderEvent } from '../protocol/provider-event.js'
import { isServiceEventId, newServiceEventId } from '../protocol/service-event.js'
import {
  hasActiveResponse,
  hasOwnRequest,
  idleSequencer,
  responseKey,
  type SequencerEvent,
  stepSequencer,
} from './response-sequencer.js'

const retryMilliseconds = 1000
/** A request that got neither a response nor a refusal for so long is taken for lost. */
const requestTimeoutMilliseconds = 30_000
const alreadyActive = 'conversation_already_has_active_response'

/** Requests responses when the sequencer says so, and lets time pass for it. */
export class ResponseRequests {
  readonly #timers: Timers
  readonly #send: (event: object) => void
  #sequencer = idleSequencer
  /** The last response came in writing, as it was requested; what follows its calls is part of the same answer. */
  #isTextOnly = false
  #requestEventId: string | null = null
  #cancelRetry: () => void = () => undefined
  #cancelTimeout: () => void = () => undefined

  constructor(timers: Timers, send: (event: object) => void) {
    this.#timers = timers
    this.#send = send
  }

  get hasActiveResponse(): boolean {
    return hasActiveResponse(this.#sequencer)
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
        this.step(
          event.item.kind === 'call-output'
            ? { type: 'outputEchoed', callId: event.item.callId }
            : { type: 'itemEchoed' },
        )
        break
      case 'error':
        this.#observeError(event)
    }
  }

  step(event: SequencerEvent): void {
    const { state, mustRequest } = stepSequencer(this.#sequencer, event)
    const isRefused = state.isBackingOff && !this.#sequencer.isBackingOff
    this.#sequencer = state
    if (!hasOwnRequest(state)) this.#cancelTimeout()
    if (isRefused)
      this.#cancelRetry = this.#timers.after(retryMilliseconds, () => this.step({ type: 'retryDue' }))
    if (mustRequest) this.#request()
  }

  end(): void {
    this.#cancelRetry()
    this.#cancelTimeout()
  }

  #request(): void {
    const eventId = newServiceEventId()
    this.#requestEventId = eventId
    const response = this.#isTextOnly ? { response: { output_modalities: ['text'] } } : {}
    this.#send({ type: 'response.create', event_id: eventId, ...response })
    this.#cancelTimeout()
    this.#cancelTimeout = this.#timers.after(requestTimeoutMilliseconds, () => this.#expire(eventId))
  }

  #expire(eventId: string): void {
    if (eventId === this.#requestEventId && hasOwnRequest(this.#sequencer))
      this.step({ type: 'requestRefused', isOurs: true })
  }

  /**
   * Providers often leave out which request an error is about: then it is ours, if we have one under way and the error
   * can only be about such a request. Every other error may have been about the client's, which must not be waited for
   * in vain; should it be still under way, ours comes behind it and is refused.
   */
  #observeError({ eventId, code }: ProviderErrorEvent): void {
    const isAboutOurs = eventId === null ? code === alreadyActive : eventId === this.#requestEventId
    const isOurs = hasOwnRequest(this.#sequencer) && isAboutOurs
    if (isOurs || eventId === null || !isServiceEventId(eventId))
      this.step({ type: 'requestRefused', isOurs })
  }
}
