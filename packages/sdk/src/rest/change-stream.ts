import type { LiveEvent } from '../generated/schemas/event.js'
import { ParleyError } from '../parley-error.js'
import { ConnectionError } from './api-error.js'
import type { ApiRequest, HttpClient } from './http-client.js'
import { readEvents } from './read-events.js'
import type { AllOptions } from './request-options.js'
import { isWorthRetrying, pauseBefore, wait } from './retry.js'

/**
 * Changes in the organization as they happen: `for await (const event of parley.events.followChanges()) …`. A broken
 * connection is resumed from its cursor. Events are never lost but may repeat. Each connection begins with `ready`. After
 * `reset`, read everything again. Leaving the loop or aborting the `signal` closes the stream. A rejected key or session is
 * thrown.
 */
export class ChangeStream implements AsyncIterable<LiveEvent> {
  readonly #http: HttpClient
  readonly #request: ApiRequest
  readonly #options: AllOptions
  #lastEventId: string | null

  constructor(http: HttpClient, request: ApiRequest, options: AllOptions) {
    const { lastEventId = null, ...others } = options
    this.#http = http
    this.#request = { ...request, accept: 'text/event-stream' }
    this.#options = others
    this.#lastEventId = lastEventId
  }

  /** The cursor to resume from, also in another process. `null` before the first event. */
  get lastEventId(): string | null {
    return this.#lastEventId
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<LiveEvent, void, undefined> {
    const { config } = this.#http
    const { signal, maxRetries = Number.POSITIVE_INFINITY } = this.#options
    for (let failures = 0; ; failures += 1) {
      let broken: unknown = new ConnectionError('The stream ended.')
      try {
        for await (const event of this.#readConnection()) {
          failures = 0
          yield event
        }
      } catch (error) {
        if (!isWorthRetrying(error, true)) throw error
        broken = error
      }
      signal?.throwIfAborted()
      if (failures >= maxRetries) throw broken
      await wait(pauseBefore(failures, broken, config) ?? config.maxRetryAfterSeconds * 1000, signal)
    }
  }

  /** The events of one connection. */
  async *#readConnection(): AsyncGenerator<LiveEvent, void, undefined> {
    const response = await this.#http.raw(this.#request, {
      ...this.#options,
      // Each failure is counted and delayed once, here.
      maxRetries: 0,
      ...(this.#lastEventId !== null && { lastEventId: this.#lastEventId }),
    })
    // A retry would get the same response forever.
    if (response.body === null || !response.headers.get('content-type')?.startsWith('text/event-stream'))
      throw new ParleyError(
        'The response is not an event stream. Check that baseUrl is the URL of the service.',
      )
    for await (const { id, data } of readEvents(response.body, this.#http.config.streamIdleMilliseconds)) {
      if (id !== '') this.#lastEventId = id
      if (data === '') continue
      const event: LiveEvent = JSON.parse(data)
      yield event
    }
  }
}
