import { Agent } from 'undici'
import { type Deadline, startDeadline } from '../../concurrency/deadline.js'
import type { Outbound, OutboundRequest, OutboundResponse, OutboundUse } from '../../ports/outbound.js'
import { makeAddressGuard, type Resolver, systemResolver } from './address-guard.js'
import { parseAllowedHosts } from './allowed-hosts.js'
import { makeGuardedConnector } from './guarded-connector.js'
import { noteSending } from './note-sending.js'
import { OutboundError, toOutboundError } from './outbound-error.js'
import { type Hop, maxRedirects, nextHop } from './redirect-rules.js'
import { composeHeaders } from './request-headers.js'
import { makeResponse, type ReceivedResponse, receive } from './response.js'
import { portOf } from './url-parts.js'
import { explainUrlRefusal } from './url-rules.js'

export interface OutboundOptions {
  /** Hosts, or host:port, that may be called even though their addresses are not public. */
  readonly allowedPrivateHosts: readonly string[]
  /** Defaults to the operating system's lookup. */
  readonly resolver?: Resolver | undefined
  /** PEM of the trusted certificate authorities. They replace Node's own. */
  readonly certificateAuthorities?: string | undefined
  /**
   * The time limit for a lookup and its connection, within the timeout of the call. Defaults to 10 seconds.
   */
  readonly connectTimeoutMilliseconds?: number | undefined
}

export function makeOutbound(options: OutboundOptions): Outbound {
  const { connectTimeoutMilliseconds = 10_000, certificateAuthorities, resolver = systemResolver } = options
  const allowed = parseAllowedHosts(options.allowedPrivateHosts)
  const guard = makeAddressGuard(allowed, resolver)
  const shutdown = new AbortController()
  const closing = shutdown.signal
  const connect = makeGuardedConnector({
    guard,
    connectTimeoutMilliseconds,
    certificateAuthorities,
    closing,
  })
  // undici's own timeouts are off, because the deadline of each call covers all of its steps.
  const agent = new Agent({ connect, headersTimeout: 0, bodyTimeout: 0, allowH2: false })

  function admit(text: string, use: OutboundUse): URL {
    const refusal = explainUrlRefusal(text, use, allowed)
    if (refusal !== null) throw new OutboundError('refused', refusal)
    return new URL(text)
  }

  async function send(hop: Hop, deadline: Deadline): Promise<ReceivedResponse> {
    const { url, method, onSent } = hop
    deadline.signal.throwIfAborted()
    const dispatcher = onSent === undefined ? agent : agent.compose(noteSending(onSent))
    const pending = dispatcher.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method,
      headers: composeHeaders(hop.headers),
      body: hop.body ?? null,
      signal: deadline.signal,
    })
    try {
      // undici checks the signal of a request only after connecting, so the signal is raced here.
      return await deadline.race(pending.then((answer) => receive(answer, url, method)))
    } catch (error) {
      throw deadline.signal.aborted ? deadline.signal.reason : toOutboundError(error, url.host)
    }
  }

  async function follow(first: Hop, deadline: Deadline): Promise<ReceivedResponse> {
    let hop = first
    for (let redirects = 0; redirects <= maxRedirects; redirects++) {
      const received = await send(hop, deadline)
      const next = nextHop(hop, received.status, received.headers.get('location'))
      if (next === null) return received
      hop = { ...next, url: admit(next.url.href, 'http') }
      received.source.destroy()
    }
    throw new OutboundError('refused', `${first.url.host} redirects more than ${maxRedirects} times.`)
  }

  async function fetch(text: string, request: OutboundRequest): Promise<OutboundResponse> {
    const { method = 'GET', headers = {}, body, onSent } = request
    const { signal, timeoutMilliseconds, maxResponseBytes } = request
    const reach = request.followsRedirects === false ? send : follow
    const url = admit(text, 'http')
    const tooLate = () => new OutboundError('timed-out', `The host ${url.host} did not answer in time.`)
    const deadline = startDeadline({
      milliseconds: timeoutMilliseconds,
      makeTimeoutReason: tooLate,
      signals: [signal, closing],
    })
    try {
      const received = await reach({ url, method, headers, body, onSent }, deadline)
      return makeResponse(received, maxResponseBytes, deadline)
    } catch (error) {
      deadline.end(error)
      throw error
    }
  }

  return {
    explainRefusal: (url, use = 'http') => explainUrlRefusal(url, use, allowed),
    fetch,
    async resolve(text, signal) {
      const url = admit(text, 'websocket')
      const tooLate = () => new OutboundError('timed-out', `The host ${url.host} was not found in time.`)
      const deadline = startDeadline({
        milliseconds: connectTimeoutMilliseconds,
        makeTimeoutReason: tooLate,
        signals: [signal, closing],
      })
      try {
        return await deadline.race(guard(url.hostname, portOf(url)))
      } finally {
        deadline.release()
      }
    },
    isFailure: (error) => error instanceof OutboundError,
    async close() {
      shutdown.abort(new OutboundError('connection-failed', 'The service is shutting down.'))
      await agent.destroy()
    },
  }
}
