import { noRequests, type RequestEvent, stepRequests } from './response-requests.js'
import type { SessionEvent } from './session-event.js'

/** A request without a result counts as lost after this time. */
const lostMilliseconds = 15_000

/** Requests the responses of one session, one at a time. */
export class ResponseQueue {
  readonly #send: (message: object) => void
  #requests = noRequests
  #count = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(send: (message: object) => void) {
    this.#send = send
  }

  get isActive(): boolean {
    return this.#requests.phase !== 'free'
  }

  request(): void {
    this.#step('request')
  }

  /** Stops the current response, if there is one. */
  cancel(): void {
    if (this.#requests.phase === 'active') this.#send({ type: 'response.cancel' })
  }

  handle(event: SessionEvent): void {
    if (event.type === 'response.created') this.#step('created')
    if (event.type === 'response.done') this.#step('done')
    if (event.type !== 'error') return
    if (event.code === 'conversation_already_has_active_response') this.#step('refused')
    else if (event.eventId === this.#requestId) this.#step('lost')
  }

  close(): void {
    clearTimeout(this.#timer)
  }

  get #requestId(): string {
    return `sdk_response_${this.#count}`
  }

  #step(event: RequestEvent): void {
    const { requests, mustSend } = stepRequests(this.#requests, event)
    this.#requests = requests
    clearTimeout(this.#timer)
    if (requests.phase === 'requested') this.#timer = setTimeout(() => this.#step('lost'), lostMilliseconds)
    if (!mustSend) return
    this.#count += 1
    this.#send({ type: 'response.create', event_id: this.#requestId })
  }
}
