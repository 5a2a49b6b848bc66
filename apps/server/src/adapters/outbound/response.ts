import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import type { Deadline } from '../../concurrency/deadline.js'
import type { OutboundMethod, OutboundResponse } from '../../ports/outbound.js'
import { toOutboundError } from './outbound-error.js'
import { capBody, decodeBody } from './response-body.js'

export interface ReceivedResponse {
  readonly url: URL
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly source: Readable
  /** False if the headers may describe a body that is not sent. */
  readonly hasBody: boolean
}

export function receive(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  url: URL,
  method: OutboundMethod,
): ReceivedResponse {
  // The deadline may destroy the stream when it has no reader. This must not crash the process.
  body.on('error', () => undefined)
  const joined = new Map<string, string>()
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) joined.set(name, Array.isArray(value) ? value.join(', ') : value)
  }
  const isEmpty = method === 'HEAD' || [204, 304].includes(statusCode) || joined.get('content-length') === '0'
  return { url, status: statusCode, headers: joined, source: body, hasBody: !isEmpty }
}

/** Creates the caller's response. From then on, the end of the body releases the deadline. */
export function makeResponse(
  { url, status, headers, source, hasBody }: ReceivedResponse,
  maxBytes: number,
  deadline: Deadline,
): OutboundResponse {
  const decoded = hasBody ? decodeBody(source, headers.get('content-encoding')) : source
  let isRead = false

  async function* read(): AsyncGenerator<Uint8Array, void, void> {
    if (isRead) throw new Error('The body of this response was already read.')
    isRead = true
    try {
      yield* capBody(decoded, maxBytes)
    } catch (error) {
      throw deadline.signal.aborted ? deadline.signal.reason : toOutboundError(error, url.host)
    } finally {
      deadline.release()
    }
  }

  async function bytes(): Promise<Uint8Array> {
    const chunks: Uint8Array[] = []
    for await (const chunk of read()) chunks.push(chunk)
    return Buffer.concat(chunks)
  }

  return {
    url: url.href,
    status,
    headers: decoded === source ? headers : withoutCoding(headers),
    body: { [Symbol.asyncIterator]: read },
    bytes,
    text: async () => new TextDecoder().decode(await bytes()),
    discard() {
      decoded.destroy()
      deadline.release()
    },
  }
}

/** These two headers no longer apply to a decoded body. */
function withoutCoding(headers: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const names = ['content-encoding', 'content-length']
  return new Map([...headers].filter(([name]) => !names.includes(name)))
}
