import type { Outbound, OutboundMethod, OutboundResponse } from '../../ports/outbound.js'
import { OutboundError } from './outbound-error.js'
import { ValueCount } from './value-count.js'

export interface GuardedFetchLimits {
  /** The timeout of the whole call, including the body. A long-lived stream therefore needs a long one. */
  readonly timeoutMilliseconds: number
  /** The size limit for a body, including streams. */
  readonly maxResponseBytes: number
  /**
   * The maximum number of values in one message. It is limited because libraries parse a message
   * synchronously. Defaults to more than a model ever receives.
   */
  readonly maxValues?: number
}

const usualMaxValues = 50_000

/** Statuses for which a `Response` must not have a body. */
const statusesWithoutBody = [204, 205, 304]

const methods: readonly string[] = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
] satisfies OutboundMethod[]

/**
 * A guarded `fetch` for libraries that need one. The body streams as it arrives. Like Outbound, it rejects
 * with an OutboundFailure or with the signal's reason. Redirects always follow the rules of the outbound
 * guard, regardless of `init.redirect`.
 */
export function makeGuardedFetch(outbound: Outbound, limits: GuardedFetchLimits): typeof fetch {
  return async (input, init) => {
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined)
    signal?.throwIfAborted()
    // A Request accepts every kind of body and headers. It only holds the signal weakly, so the signal is
    // passed separately.
    const request = new Request(input, { ...init, signal: null })
    const response = await outbound.fetch(request.url, {
      method: knownMethod(request.method),
      headers: Object.fromEntries(request.headers),
      body: request.body === null ? undefined : new Uint8Array(await request.arrayBuffer()),
      timeoutMilliseconds: limits.timeoutMilliseconds,
      maxResponseBytes: limits.maxResponseBytes,
      signal: signal ?? undefined,
    })
    return toResponse(response, limits.maxValues ?? usualMaxValues)
  }
}

function knownMethod(method: string): OutboundMethod {
  if (!isOutboundMethod(method)) throw new TypeError(`The method ${method} is not supported.`)
  return method
}

function isOutboundMethod(method: string): method is OutboundMethod {
  return methods.includes(method)
}

function toResponse(received: OutboundResponse, maxValues: number): Response {
  const { status, url } = received
  const hasBody = !statusesWithoutBody.includes(status)
  if (!hasBody || status > 599) received.discard()
  if (status > 599) throw new TypeError(`The response has the invalid status ${status}.`)
  const response = new Response(hasBody ? streamOf(received, maxValues) : null, {
    status,
    headers: [...received.headers],
  })
  // The constructor cannot set the URL.
  return Object.defineProperty(response, 'url', { value: url })
}

function streamOf(received: OutboundResponse, maxValues: number): ReadableStream<Uint8Array> {
  const chunks = received.body[Symbol.asyncIterator]()
  const count = new ValueCount(/^text\/event-stream\b/i.test(received.headers.get('content-type') ?? ''))
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next()
        if (done === true) return controller.close()
        if (count.add(value) > maxValues) {
          received.discard()
          throw new OutboundError('too-large', `The response contains more than ${maxValues} values.`)
        }
        controller.enqueue(value)
      },
      // The iterator's own `return` would wait for the pending chunk, which may never arrive.
      cancel: () => received.discard(),
    },
    { highWaterMark: 0 },
  )
}
