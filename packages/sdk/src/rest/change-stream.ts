import type { LiveEvent } from '../generated/schemas/event.js'
import { ParleyError } from '../parley-error.js'
import { ConnectionError } from './api-error.js'
import type { ApiRequest, HttpClient } from './http-client.js'
import { readEvents } from './read-events.js'
import type { AllOptions } from './request-options.js'
import { isWorthRetrying, pauseBefore, wait } from './retry.js'

/**
 * What changes in the organization, as it happens: `for await (const event of parley.events.followChanges()) …`. It does not
 * end by itself: a broken connection is taken up again from its cursor, and nothing is left out, though something may be
 * told twice. Each connection begins with `ready`; at `reset` everything is to be read again. Leaving the loop, or the
 * `signal`, closes it; a key or session that is refused is thrown.
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

  /** The cursor to go on from, in another process too; null before the first event. */
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
      // Here every failure is counted, and waited for, once.
      maxRetries: 0,
      ...(this.#lastEventId !== null && { lastEventId: this.#lastEventId }),
    })
    // Asked again it would say the same, for ever.
    if (response.body === null || !response.headers.get('content-type')?.startsWith('text/event-stream'))
      throw new ParleyError('The answer is no stream of events: is baseUrl the address of the service?')
    for await (const { id, data } of readEvents(response.body, this.#http.config.streamIdleMilliseconds)) {
      if (id !== '') this.#lastEventId = id
      if (data === '') continue
      const event: LiveEvent = JSON.parse(data)
      yield event
    }
  }
}
