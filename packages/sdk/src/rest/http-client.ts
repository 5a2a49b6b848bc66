import { ParleyError } from '../parley-error.js'
import { apiErrorOf, ConnectionError } from './api-error.js'
import { ApiPromise, type ApiResult, resultOf } from './api-promise.js'
import { attempt, readText } from './attempt.js'
import { ListPromise } from './list-promise.js'
import type { Page } from './page.js'
import type { AllOptions } from './request-options.js'
import { requestUrl } from './request-url.js'
import { isWorthRetrying, pauseBefore, type RetryPolicy, wait } from './retry.js'

export type HeaderSource =
  | Readonly<Record<string, string>>
  | ((request: {
      readonly method: ApiRequest['method']
      readonly path: string
    }) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>)

export interface HttpClientConfig extends RetryPolicy {
  readonly baseUrl: string
  /** The caller's credentials. */
  readonly accessHeaders: Readonly<Record<string, string>>
  readonly headers: HeaderSource
  /** If undefined, the runtime decides. Some edge runtimes reject every request that sets it. */
  readonly credentials: 'same-origin' | 'include' | undefined
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  /** Whether the user provided it. */
  readonly hasOwnFetch: boolean
  readonly timeoutMilliseconds: number
  /** For calls whose response waits for a model. */
  readonly longTimeoutMilliseconds: number
  /** A stream that is silent for this long counts as broken. The service sends something every 15 s. */
  readonly streamIdleMilliseconds: number
}

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly query?: object
  /** Sent as JSON. */
  readonly body?: unknown
  /** Another body, created for each attempt. */
  readonly makeBody?: () => { readonly body: BodyInit; readonly contentType?: string }
  readonly accept?: string
  readonly takesIdempotencyKey?: boolean
  readonly isLong?: boolean
  readonly isStreamed?: boolean
  /** Another function to send this request. */
  readonly fetch?: HttpClientConfig['fetch']
}

/** Sends the calls of one client with headers, time limits and retries. */
export class HttpClient {
  readonly config: HttpClientConfig

  constructor(config: HttpClientConfig) {
    this.config = config
  }

  json<Data>(request: ApiRequest, options: AllOptions): ApiPromise<Data> {
    return new ApiPromise(this.#send(request, options, readJson<Data>))
  }

  list<Item>(request: ApiRequest, options: AllOptions): ListPromise<Item> {
    const readAt = (page: object) =>
      this.#send({ ...request, query: { ...request.query, ...page } }, options, readJson<Page<Item>>)
    return new ListPromise(readAt({}), async (Offset) => (await readAt({ Offset })).data)
  }

  /** Returns the response as soon as its headers arrive. */
  raw(request: ApiRequest, options: AllOptions): ApiPromise<Response> {
    return new ApiPromise(
      this.#send({ accept: '*/*', ...request, isStreamed: true }, options, async (response) =>
        resultOf(response, response),
      ),
    )
  }

  async #send<Data>(
    request: ApiRequest,
    options: AllOptions,
    read: (response: Response) => Promise<ApiResult<Data>>,
  ): Promise<ApiResult<Data>> {
    const { config } = this
    const { signal, maxRetries = config.maxRetries } = options
    const headers = headersOf(request, options)
    const isRepeatable = mayRepeat(request, options)
    let wasAnswerLost = false
    for (let tries = 0; ; tries += 1) {
      try {
        const own = typeof config.headers === 'function' ? await config.headers(request) : config.headers
        const init = initOf(request, { ...config.accessHeaders, ...own, ...headers })
        return await attempt({
          fetch: request.fetch ?? config.fetch,
          url: requestUrl(config.baseUrl, request.path, { ...request.query, ...queryOf(options) }),
          init: config.credentials === undefined ? init : { ...init, credentials: config.credentials },
          signal,
          isStreamed: request.isStreamed === true,
          timeoutMilliseconds:
            options.timeoutMilliseconds ??
            (request.isLong ? config.longTimeoutMilliseconds : config.timeoutMilliseconds),
          read: async (response) => {
            // An earlier attempt, whose response was lost, has deleted the resource.
            const isGone = request.method === 'DELETE' && wasAnswerLost && response.status === 404
            if (!response.ok && !isGone) throw await apiErrorOf(response)
            return read(response)
          },
        })
      } catch (error) {
        signal?.throwIfAborted()
        if (tries >= maxRetries || !isWorthRetrying(error, isRepeatable)) throw error
        const pause = pauseBefore(tries, error, config)
        if (pause === null) throw error
        wasAnswerLost ||= error instanceof ConnectionError
        await wait(pause, signal)
      }
    }
  }
}

/** Whether an attempt that may have succeeded can be repeated without a second effect. */
function mayRepeat({ method, takesIdempotencyKey }: ApiRequest, { ifMatch, dryRun }: AllOptions): boolean {
  if (dryRun === true) return true
  // With If-Match the retry would fail although the first attempt succeeded.
  if (method === 'PUT' || method === 'DELETE') return ifMatch === undefined
  return method === 'GET' || takesIdempotencyKey === true
}

function queryOf({ dryRun }: AllOptions): object {
  return dryRun === true ? { DryRun: true } : {}
}

/** All attempts share the idempotency key, so the service treats them as one. */
function headersOf(request: ApiRequest, options: AllOptions): Record<string, string> {
  const key = request.takesIdempotencyKey ? (options.idempotencyKey ?? randomKey()) : undefined
  return {
    accept: request.accept ?? 'application/json',
    ...(key !== undefined && { 'idempotency-key': key }),
    ...(options.ifMatch !== undefined && { 'if-match': options.ifMatch }),
    ...(options.lastEventId !== undefined && { 'last-event-id': options.lastEventId }),
    ...options.headers,
  }
}

/** Unlike `randomUUID`, it also exists in pages without TLS. */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}

function initOf({ method, body, makeBody }: ApiRequest, headers: Record<string, string>): RequestInit {
  if (makeBody !== undefined) {
    const made = makeBody()
    const type = made.contentType === undefined ? {} : { 'content-type': made.contentType }
    // Node requires this for a streamed request body.
    const duplex = made.body instanceof ReadableStream ? { duplex: 'half' } : {}
    return { method, headers: { ...headers, ...type }, body: made.body, ...duplex }
  }
  if (body === undefined) return { method, headers }
  return { method, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

async function readJson<Data>(response: Response): Promise<ApiResult<Data>> {
  const text = await readText(response)
  return resultOf(response, response.ok && text !== '' ? parseJson(text) : undefined)
}

function parseJson(text: string) {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ParleyError('The response is not JSON. Check that baseUrl is the URL of the service.', {
      cause,
    })
  }
}
