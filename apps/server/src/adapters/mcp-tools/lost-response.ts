import { ErrorCode, type McpError, type RequestId } from '@modelcontextprotocol/sdk/types.js'

interface LostResponse {
  /** Why, as a sentence. */
  readonly lost: string
}

/**
 * The events that we append to an event stream that broke off. The first one fails the request; where its response has
 * come before, nobody waits for it and the library drops it. The second one keeps the library from resuming the stream,
 * which it does until it has seen a result.
 */
export function lostResponseEvents(id: RequestId, lost: string): Uint8Array {
  const data: LostResponse = { lost }
  const messages = [
    { jsonrpc: '2.0', id, error: { code: ErrorCode.ConnectionClosed, message: lost, data } },
    { jsonrpc: '2.0', id, result: {} },
  ]
  // The empty line ends what the server may have left unfinished.
  const events = messages.map((message) => `\n\nevent: message\ndata: ${JSON.stringify(message)}\n\n`)
  return new TextEncoder().encode(events.join(''))
}

export function isLostResponse(error: McpError): error is McpError & { readonly data: LostResponse } {
  const data: unknown = error.data
  return typeof data === 'object' && data !== null && 'lost' in data && typeof data.lost === 'string'
}
