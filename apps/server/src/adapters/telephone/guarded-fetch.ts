import { type CarrierFetch, RequestNotSent } from '@parley/telephone'
import type { Outbound, OutboundMethod } from '../../ports/outbound.js'

/** The carrier gives up earlier, with a clearer error. */
const timeoutMilliseconds = 11_000
const maxResponseBytes = 64 * 1024

/** Sends the requests of a carrier through the guard of outbound requests. */
export function guardedFetch(outbound: Outbound): CarrierFetch {
  return async (url, { method, headers, body, signal }) => {
    let isSent = false
    const answer = outbound.fetch(url, {
      timeoutMilliseconds,
      maxResponseBytes,
      followsRedirects: false,
      signal,
      method: method as OutboundMethod,
      headers,
      body,
      onSent: () => {
        isSent = true
      },
    })
    return answer.catch((error: unknown) => {
      throw !isSent && outbound.isFailure(error) ? new RequestNotSent(error.detail) : error
    })
  }
}
