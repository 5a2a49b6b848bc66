import { BoundedMap } from '../../concurrency/bounded-map.js'
import { type Fields, fieldsOf, textOf } from '../realtime-dialects/json-fields.js'
import { ProviderCalls } from '../realtime-dialects/provider-calls.js'
import type { ResponseWriter } from '../realtime-dialects/response-writer.js'

/** A response that does not report its end must not delay the outputs of its calls for longer. */
const maxWaitMilliseconds = 5000

/** The maximum number of dropped calls and of responses that run. The oldest are forgotten. */
const maxRemembered = 1000

interface Call {
  readonly providerId: string
  /** The work that the voice model has delegated. Empty if the text model was asked otherwise. */
  readonly delegationId: string
}

interface DelegatedCallsParts {
  readonly responses: ResponseWriter
  readonly send: (message: object) => void
}

/*
 * The calls of the text model behind the voice. It continues after ONE `response.create`, when the outputs of all open calls
 * are in and it makes no further calls. Requests before that wait for it.
 *
 *   idle ──response begins──► running ──call──► calls open ──all outputs sent, response ended──► continued
 *
 * The calls of a failed response are dropped: their outputs are not sent.
 */
export class DelegatedCalls {
  readonly #responses: ResponseWriter
  readonly #send: (message: object) => void
  readonly #open = new ProviderCalls<Call>()
  readonly #dropped = new BoundedMap<string, true>(maxRemembered)
  readonly #running = new BoundedMap<string, true>(maxRemembered)
  #hasOutputs = false
  /** Whether a request waits until no call is open. */
  #isHeld = false
  #isRequested = false
  /** The time at which the outputs are sent although a response has not ended. */
  #overdueAt: number | null = null
  #usage = noTokens()

  constructor({ responses, send }: DelegatedCallsParts) {
    this.#responses = responses
    this.#send = send
  }

  /** Whether the text model is going to answer without another request. */
  get isWorking(): boolean {
    return this.#open.size > 0 || this.#hasOutputs || this.#isHeld
  }

  /** Whether the text model may still call tools in its current response. */
  get isRunning(): boolean {
    return this.#running.size > 0
  }

  /** Whether tokens were used since the last `takeUsage`. */
  get hasUsage(): boolean {
    return this.#usage.total_tokens > 0
  }

  get overdueAt(): number | null {
    return this.#overdueAt
  }

  /** Returns the tokens since the last call. The voice itself uses none. */
  takeUsage(): object {
    const usage = this.#usage
    this.#usage = noTokens()
    return usage
  }

  /** Handles an event of the text model. Returns whether its response has ended. */
  handle(event: Fields, delegationId: string, now: number): boolean {
    switch (event.type) {
      case 'response.created':
        this.#running.set(delegationId, true)
        return false
      case 'response.output_item.done':
        this.#addCall(fieldsOf(event.item), delegationId)
        return false
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        this.#addUsage(fieldsOf(fieldsOf(event.response).usage))
        if (event.type !== 'response.completed') this.#drop(delegationId)
        this.#running.delete(delegationId)
        this.#continue(now)
        return true
      default:
        return false
    }
  }

  /** Sends the output of a call. Returns false if the call is not one of this session. */
  answer(callId: string, output: string, eventId: unknown, now: number): boolean {
    const call = this.#open.take(callId)
    if (call === null) return this.#dropped.delete(callId)
    const item = { type: 'function_call_output', call_id: call.providerId, output }
    this.#send({ type: 'response.item.create', ...withId(eventId), item })
    this.#hasOutputs = true
    this.#continue(now)
    return true
  }

  /** Asks the text model to answer. While calls are open, the request waits for their outputs. */
  request(eventId: unknown): void {
    if (this.isWorking) this.#isHeld = true
    else this.#request(eventId)
  }

  /** Whether a response was requested and has not begun. Forgets it. */
  takeRequest(): boolean {
    const isRequested = this.#isRequested
    this.#isRequested = false
    return isRequested
  }

  tick(now: number): void {
    if (this.#overdueAt === null || now < this.#overdueAt) return
    this.#running.clear()
    this.#continue(now)
  }

  #addCall(item: Fields, delegationId: string): void {
    if (item.type !== 'function_call' || item.status !== 'completed') return
    const callId = this.#open.open({ providerId: textOf(item.call_id), delegationId })
    this.#responses.addCall({
      callId,
      name: textOf(item.name),
      argumentsText: textOf(item.arguments) || '{}',
    })
  }

  #drop(delegationId: string): void {
    for (const callId of this.#open.takeAll((call) => call.delegationId === delegationId))
      this.#dropped.set(callId, true)
    // Outputs of a failed response that were sent already get no answer.
    if (this.#open.size === 0) this.#hasOutputs = false
  }

  #continue(now: number): void {
    if (!(this.#hasOutputs || this.#isHeld) || this.#open.size > 0) {
      this.#overdueAt = null
      return
    }
    if (this.#running.size > 0) {
      this.#overdueAt ??= now + maxWaitMilliseconds
      return
    }
    this.#overdueAt = null
    this.#hasOutputs = false
    this.#isHeld = false
    this.#request(null)
  }

  #request(eventId: unknown): void {
    this.#isRequested = true
    this.#send({ type: 'response.create', ...withId(eventId) })
  }

  #addUsage(usage: Fields): void {
    const count = (fields: Fields, name: string) => (typeof fields[name] === 'number' ? fields[name] : 0)
    const cached = count(fieldsOf(usage.input_tokens_details), 'cached_tokens')
    const total = this.#usage
    total.input_tokens += count(usage, 'input_tokens')
    total.output_tokens += count(usage, 'output_tokens')
    total.total_tokens = total.input_tokens + total.output_tokens
    total.input_token_details.text_tokens = total.input_tokens
    total.input_token_details.cached_tokens += cached
    total.input_token_details.cached_tokens_details.text_tokens += cached
    total.output_token_details.text_tokens = total.output_tokens
  }
}

/** Adds the id of the event that caused a message, because errors quote it. */
export function withId(eventId: unknown): { readonly event_id?: string } {
  return typeof eventId === 'string' && eventId !== '' ? { event_id: eventId } : {}
}

function noTokens() {
  return {
    total_tokens: 0,
    input_tokens: 0,
    output_tokens: 0,
    input_token_details: {
      text_tokens: 0,
      audio_tokens: 0,
      image_tokens: 0,
      cached_tokens: 0,
      cached_tokens_details: { text_tokens: 0, audio_tokens: 0, image_tokens: 0 },
    },
    output_token_details: { text_tokens: 0, audio_tokens: 0 },
  }
}
