import type { QuestionAnswer } from '../generated/schemas/question.js'
import type { TurnEvent } from '../generated/schemas/turn-events.js'
import { ParleyError } from '../parley-error.js'
import { ConnectionError } from './api-error.js'
import { type ApiRequest, type HttpClient, randomKey } from './http-client.js'
import { readEvents } from './read-events.js'
import type { AllOptions } from './request-options.js'
import { segment } from './request-url.js'
import { pauseBefore, wait } from './retry.js'

/**
 * The events of a turn, to be read once: `for await (const event of stream) …`. The last one is `response.completed` or
 * `error`. A broken connection is resumed after the last event, without loss or repetition. Leaving the loop closes the
 * connection, but the turn continues.
 *
 *   asking ──turn.started──► following ──last event, or 204──► ended
 *     └─broken: the same key─┘  └─broken: Last-Event-ID─┘
 */
export class TurnStream implements AsyncIterable<TurnEvent> {
  readonly #http: HttpClient
  readonly #options: AllOptions
  #request: ApiRequest
  #turnPath: string | null = null
  #lastEventId: string | null
  #isEnded = false
  #isRead = false

  constructor(http: HttpClient, request: ApiRequest, options: AllOptions) {
    this.#http = http
    const { lastEventId = null, ...others } = options
    // One key for all attempts, including those after a broken stream.
    this.#options = request.takesIdempotencyKey
      ? { ...others, idempotencyKey: others.idempotencyKey ?? randomKey() }
      : others
    this.#request = { ...request, accept: 'text/event-stream' }
    this.#lastEventId = lastEventId
    if (request.method === 'GET') this.#turnPath = request.path.replace(/\/events$/, '')
  }

  /** The id of the last event that was read, to resume in another process with `followTurn`. */
  get lastEventId(): string | null {
    return this.#lastEventId
  }

  /** The stored turn. Without a reader, this consumes the events until the last one. */
  async finalAnswer(): Promise<QuestionAnswer> {
    if (!this.#isRead) for await (const _ of this);
    const path = this.#turnPath
    if (path === null) throw new ParleyError('The turn has not started.')
    return this.#http.json<QuestionAnswer>({ method: 'GET', path }, this.#options)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<TurnEvent, void, undefined> {
    if (this.#isRead) throw new ParleyError('The events of a turn can be read only once.')
    this.#isRead = true
    const { config } = this.#http
    const { signal, maxRetries = config.maxRetries } = this.#options
    for (let failures = 0; !this.#isEnded; failures += 1) {
      const before = this.#lastEventId
      const broken = yield* this.#readConnection()
      if (this.#isEnded) return
      signal?.throwIfAborted()
      if (this.#lastEventId !== before) failures = 0
      if (failures >= maxRetries) throw broken
      await wait(pauseBefore(failures, broken, config) ?? config.backoffMilliseconds, signal)
    }
  }

  /** The events of one connection, and why another one is needed. */
  async *#readConnection(): AsyncGenerator<TurnEvent, ConnectionError, undefined> {
    const response = await this.#http.raw(this.#request, {
      ...this.#options,
      ...(this.#lastEventId !== null && { lastEventId: this.#lastEventId }),
    })
    if (response.status === 204 || response.body === null) {
      this.#isEnded = true
      return new ConnectionError('The turn has no further events.')
    }
    try {
      for await (const { id, data } of readEvents(response.body, this.#http.config.streamIdleMilliseconds)) {
        if (data === '') continue
        const event: TurnEvent = JSON.parse(data)
        this.#keep(id, event)
        yield event
      }
    } catch (error) {
      if (error instanceof ConnectionError) return error
      throw error
    }
    return new ConnectionError('The stream ended before the turn did.')
  }

  #keep(id: string, event: TurnEvent): void {
    this.#lastEventId = id
    if (event.type === 'turn.started') {
      const { conversationId, turnId } = event.data
      this.#turnPath = `/api/v1/Conversation/${segment('conversationId', conversationId)}/turn/${segment('turnId', turnId)}`
      this.#request = { method: 'GET', path: `${this.#turnPath}/events`, accept: 'text/event-stream' }
    }
    if (event.type === 'response.completed' || event.type === 'error') this.#isEnded = true
  }
}
