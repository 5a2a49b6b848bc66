import {
  type FetchLike,
  isJSONRPCRequest,
  isSpecType,
  type JSONRPCRequest,
  type RequestId,
} from '@modelcontextprotocol/client'
import { type Deadline, startDeadline } from '../../concurrency/deadline.js'
import { reportTruncation, type Truncation } from './truncated-stream.js'

export interface RpcFetchOptions {
  readonly fetch: FetchLike
  /** The same with a bound of its own, for lists: these are read by everybody who begins a session. */
  readonly fetchList: FetchLike
  readonly timeoutMilliseconds: number
  /** What to make of a body that broke off. */
  readonly explain: (error: unknown) => Truncation
  /** Called when a response that broke off cannot be resumed. */
  readonly onResumeFailed: () => void
}

/**
 * What the client library leaves open between HTTP and the protocol: a request that was cancelled releases its
 * connection, and a response that breaks off fails its request.
 */
export function makeRpcFetch(options: RpcFetchOptions): FetchLike {
  const underWay = new Map<RequestId, Deadline>()

  function explain(error: unknown, signal: AbortSignal): Truncation {
    const truncation = options.explain(error)
    // A request that was cancelled needs no response any more.
    return signal.aborted ? { ...truncation, isFinal: true } : truncation
  }

  async function post(url: string | URL, init: RequestInit, message: JSONRPCRequest): Promise<Response> {
    const { id, method } = message
    const fetch = method === 'tools/list' ? options.fetchList : options.fetch
    const deadline = startDeadline({
      milliseconds: options.timeoutMilliseconds,
      makeTimeoutReason: () => new Error('The time of the request is up.'),
      signals: [init.signal ?? undefined],
    })
    underWay.set(id, deadline)
    const release = () => {
      deadline.release()
      underWay.delete(id)
    }
    try {
      const response = await fetch(url, { ...init, signal: deadline.signal })
      return reportTruncation(response, {
        id,
        onEnd: release,
        explain: (error) => explain(error, deadline.signal),
      })
    } catch (error) {
      release()
      throw error
    }
  }

  function explainResumed(error: unknown): Truncation {
    const truncation = options.explain(error)
    // Whose response it was is not known here.
    if (truncation.isFinal) options.onResumeFailed()
    return truncation
  }

  async function resume(url: string | URL, init: RequestInit): Promise<Response> {
    // Without an id it is the stream of what the server says unasked, and we have no use for that.
    if (!new Headers(init.headers).has('last-event-id')) return new Response(null, { status: 405 })
    try {
      const response = await options.fetch(url, init)
      if (!response.ok) options.onResumeFailed()
      return reportTruncation(response, { id: null, explain: explainResumed })
    } catch (error) {
      options.onResumeFailed()
      throw error
    }
  }

  return async (url, init = {}) => {
    if (init.method === 'GET') return resume(url, init)
    const message = messageIn(init.body)
    if (isJSONRPCRequest(message)) return post(url, init, message)
    const cancelledId = cancelledIdIn(message)
    try {
      return await options.fetch(url, init)
    } finally {
      if (cancelledId !== null) underWay.get(cancelledId)?.end(new Error('The request was cancelled.'))
    }
  }
}

function messageIn(body: RequestInit['body']): unknown {
  return typeof body === 'string' ? JSON.parse(body) : null
}

function cancelledIdIn(message: unknown): RequestId | null {
  return isSpecType.CancelledNotification(message) ? (message.params.requestId ?? null) : null
}
