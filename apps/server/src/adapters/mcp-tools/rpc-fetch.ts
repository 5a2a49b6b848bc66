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
  /** Like `fetch`, but with stricter limits for lists, because every session reads them when it starts. */
  readonly fetchList: FetchLike
  readonly timeoutMilliseconds: number
  /** Describes a truncated body. */
  readonly explain: (error: unknown) => Truncation
  /** Called when a truncated response cannot be resumed. */
  readonly onResumeFailed: () => void
}

/**
 * Works around two gaps in the MCP client library: a cancelled request does not release its connection, and a
 * truncated response does not fail its request.
 */
export function makeRpcFetch(options: RpcFetchOptions): FetchLike {
  const inProgress = new Map<RequestId, Deadline>()

  function explain(error: unknown, signal: AbortSignal): Truncation {
    const truncation = options.explain(error)
    // A cancelled request no longer needs a response.
    return signal.aborted ? { ...truncation, isFinal: true } : truncation
  }

  async function post(url: string | URL, init: RequestInit, message: JSONRPCRequest): Promise<Response> {
    const { id, method } = message
    const fetch = method === 'tools/list' ? options.fetchList : options.fetch
    const deadline = startDeadline({
      milliseconds: options.timeoutMilliseconds,
      makeTimeoutReason: () => new Error('The request timed out.'),
      signals: [init.signal ?? undefined],
    })
    inProgress.set(id, deadline)
    const release = () => {
      deadline.release()
      inProgress.delete(id)
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
    // The request of this response is unknown here.
    if (truncation.isFinal) options.onResumeFailed()
    return truncation
  }

  async function resume(url: string | URL, init: RequestInit): Promise<Response> {
    // Without an id, the request is for the stream of unsolicited server messages, which we do not use.
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
      if (cancelledId !== null) inProgress.get(cancelledId)?.end(new Error('The request was cancelled.'))
    }
  }
}

function messageIn(body: RequestInit['body']): unknown {
  return typeof body === 'string' ? JSON.parse(body) : null
}

function cancelledIdIn(message: unknown): RequestId | null {
  return isSpecType.CancelledNotification(message) ? (message.params.requestId ?? null) : null
}
