import type { ProtocolError, RequestId } from '@modelcontextprotocol/client'

const connectionClosed = -32000

interface LostResponse {
  /** Why, as a sentence. */
  readonly lost: string
}

/**
 * The event that ends an event stream which broke off. It fails the request. If the response came before, no request waits
 * for it and the library drops it. It also keeps the library from resuming the stream.
 */
export function lostResponseEvent(id: RequestId, lost: string): Uint8Array {
  const data: LostResponse = { lost }
  const message = { jsonrpc: '2.0', id, error: { code: connectionClosed, message: lost, data } }
  // The empty line ends an event that the server left unfinished.
  return new TextEncoder().encode(`\n\nevent: message\ndata: ${JSON.stringify(message)}\n\n`)
}

export function isLostResponse(
  error: ProtocolError,
): error is ProtocolError & { readonly data: LostResponse } {
  const data: unknown = error.data
  return typeof data === 'object' && data !== null && 'lost' in data && typeof data.lost === 'string'
}
