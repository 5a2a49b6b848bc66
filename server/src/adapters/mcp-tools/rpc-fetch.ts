import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  CancelledNotificationSchema,
  isJSONRPCRequest,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js'
import { type Deadline, startDeadline } from '../outbound/deadline.js'
import { type BrokenOff, watchBody } from './watch-body.js'

export interface RpcFetchOptions {
  readonly fetch: FetchLike
  readonly timeoutMilliseconds: number
  /** What to make of a body that broke off. */
  readonly explain: (error: unknown) => BrokenOff
  /** Called when an answer that broke off cannot be had again. */
  readonly onResumeFailed: () => void
}

/**
 * What the client library leaves open between HTTP and the protocol: a request that was given up lets go of its
 * connection, and an answer that breaks off fails its request.
 */
export function makeRpcFetch(options: RpcFetchOptions): FetchLike {
  const underWay = new Map<RequestId, Deadline>()

  function explain(error: unknown, signal: AbortSignal): BrokenOff {
    const brokenOff = options.explain(error)
    // A request that was given up needs no answer any more.
    return signal.aborted ? { ...brokenOff, isFinal: true } : brokenOff
  }

  async function post(url: string | URL, init: RequestInit, id: RequestId): Promise<Response> {
    const tooLate = () => new Error('The time of the request is up.')
    const deadline = startDeadline(options.timeoutMilliseconds, tooLate, [init.signal ?? undefined])
    underWay.set(id, deadline)
    const release = () => {
      deadline.release()
      underWay.delete(id)
    }
    try {
      const response = await options.fetch(url, { ...init, signal: deadline.signal })
      return watchBody(response, { id, onEnd: release, explain: (error) => explain(error, deadline.signal) })
    } catch (error) {
      release()
      throw error
    }
  }

  function explainResumed(error: unknown): BrokenOff {
    const brokenOff = options.explain(error)
    // Whose answer it was is not known here.
    if (brokenOff.isFinal) options.onResumeFailed()
    return brokenOff
  }

  async function resume(url: string | URL, init: RequestInit): Promise<Response> {
    // Without an id it is the stream of what the server says unasked, and we have no use for that.
    if (!new Headers(init.headers).has('last-event-id')) return new Response(null, { status: 405 })
    try {
      const response = await options.fetch(url, init)
      if (!response.ok) options.onResumeFailed()
      return watchBody(response, { id: null, explain: explainResumed })
    } catch (error) {
      options.onResumeFailed()
      throw error
    }
  }

  return async (url, init = {}) => {
    if (init.method === 'GET') return resume(url, init)
    const message = messageIn(init.body)
    if (isJSONRPCRequest(message)) return post(url, init, message.id)
    try {
      return await options.fetch(url, init)
    } finally {
      const id = cancelledIdIn(message)
      if (id !== null) underWay.get(id)?.end(new Error('The request was given up.'))
    }
  }
}

function messageIn(body: RequestInit['body']): unknown {
  return typeof body === 'string' ? JSON.parse(body) : null
}

function cancelledIdIn(message: unknown): RequestId | null {
  return CancelledNotificationSchema.safeParse(message).data?.params.requestId ?? null
}
