import type { IncomingMessage } from 'node:http'

/** How long a client that was answered already may go on sending. */
const discardMilliseconds = 10_000

/**
 * Lets the rest of a request run into nothing, for a while: a connection that is closed on a client that still sends
 * takes the answer with it (a proxy makes 502 of that), and one that is left open is sent to for ever.
 */
export function discardRest(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return
  request.unpipe()
  request.resume()
  const timer = setTimeout(() => request.destroy(), discardMilliseconds).unref()
  request.once('close', () => clearTimeout(timer))
}
