import type { ProtocolError, RequestId } from '@modelcontextprotocol/client'

const connectionClosed = -32000

interface LostResponse {
  /** The reason, as a sentence. */
  readonly lost: string
}

/**
 * Returns the event that ends a truncated event stream. It fails the request. If the response arrived before,
 * no request waits for it and the library drops it. It also prevents the library from resuming the stream.
 */
export function lostResponseEvent(id: RequestId, lost: string): Uint8Array {
  const data: LostResponse = { lost }
  const message = { jsonrpc: '2.0', id, error: { code: connectionClosed, message: lost, data } }
  // The empty line terminates an event that the server left incomplete.
  return new TextEncoder().encode(`\n\nevent: message\ndata: ${JSON.stringify(message)}\n\n`)
}

export function isLostResponse(
  error: ProtocolError,
): error is ProtocolError & { readonly data: LostResponse } {
  const data: unknown = error.data
  return typeof data === 'object' && data !== null && 'lost' in data && typeof data.lost === 'string'
}
