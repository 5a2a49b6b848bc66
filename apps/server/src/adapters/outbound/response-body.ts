import { pipeline, type Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { OutboundError } from './outbound-error.js'

const decoders: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
])

// The maximum number of content codings. Each multiplies the size of the data, and no legitimate server
// applies more.
const maxCodings = 2

/** Decodes the content codings, last one first. */
export function decodeBody(source: Readable, contentEncoding: string | undefined): Readable {
  const codings = (contentEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity')
  const factories = codings.reverse().flatMap((coding) => decoders.get(coding) ?? [])
  if (factories.length !== codings.length || codings.length > maxCodings) {
    throw new OutboundError('connection-failed', 'The compression of the response is not supported.')
  }
  // `pipeline` propagates errors and early ends in both directions. The reader of the last stream receives
  // them.
  return factories.reduce<Readable>((from, make) => pipeline(from, make(), () => undefined), source)
}

/** Passes the body on, up to the size limit. */
export async function* capBody(source: Readable, maxBytes: number): AsyncGenerator<Uint8Array, void, void> {
  const chunks: AsyncIterable<Uint8Array> = source
  let total = 0
  for await (const chunk of chunks) {
    total += chunk.byteLength
    if (total > maxBytes) {
      throw new OutboundError('too-large', `The response is larger than ${maxBytes} bytes.`)
    }
    yield chunk
  }
}
