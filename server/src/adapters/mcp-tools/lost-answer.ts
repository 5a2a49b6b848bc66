import { ErrorCode, type McpError, type RequestId } from '@modelcontextprotocol/sdk/types.js'

interface LostAnswer {
  /** Why, as a sentence. */
  readonly lost: string
}

/**
 * The events that we put behind a stream of events that has ended: the client library would wait for the answer until
 * its time is up. Where the answer has come before, they find nobody who waits, and are dropped. The second one keeps
 * the library from taking up the stream again, which it does until it has seen a result.
 */
export function lostAnswerEvents(id: RequestId, lost: string): Uint8Array {
  const data: LostAnswer = { lost }
  const messages = [
    { jsonrpc: '2.0', id, error: { code: ErrorCode.ConnectionClosed, message: lost, data } },
    { jsonrpc: '2.0', id, result: {} },
  ]
  // The empty line ends what the server may have left unfinished.
  const events = messages.map((message) => `\n\nevent: message\ndata: ${JSON.stringify(message)}\n\n`)
  return new TextEncoder().encode(events.join(''))
}

export function isLostAnswer(error: McpError): error is McpError & { readonly data: LostAnswer } {
  const data: unknown = error.data
  return typeof data === 'object' && data !== null && 'lost' in data && typeof data.lost === 'string'
}
