import { describe, expect, test } from 'vitest'
import { ConnectionNames } from '#server/adapters/database/embedded/connection-names.js'
import { type Request, RequestReader } from '#server/adapters/database/embedded/request-reader.js'
import { makeMessage, makeStrings } from '#server/adapters/database/embedded/wire-messages.js'
import {
  bind,
  encryptionRequest,
  execute,
  flush,
  parse,
  query,
  startupPacket,
  sync,
  terminate,
} from '../../../support/embedded-database/raw-client.js'

function read(...chunks: Buffer[]): Request[] {
  const reader = new RequestReader(new ConnectionNames(1))
  return chunks.flatMap((chunk) => [...reader.read(chunk)])
}

const types = (request: Request | undefined) => {
  const found: string[] = []
  if (!(request && 'bytes' in request)) return found
  for (let at = 0; at < request.bytes.length; at += 1 + request.bytes.readInt32BE(at + 1))
    found.push(String.fromCharCode(request.bytes[at] ?? 0))
  return found
}

describe('reading requests', () => {
  test('knows how a connection begins and ends', () => {
    const requests = read(Buffer.concat([encryptionRequest, startupPacket, terminate]))
    expect(requests.map(({ kind }) => kind)).toEqual(['encryption', 'startup', 'terminate'])
  })

  test('groups messages up to Sync, Flush or Query, many of them in one chunk', () => {
    const requests = read(
      startupPacket,
      Buffer.concat([parse('', 'a'), bind('', ''), execute(''), sync, query('b'), parse('', 'c'), flush]),
      sync,
    )
    expect(requests.map(({ kind }) => kind)).toEqual(['startup', 'sync', 'query', 'flush', 'sync'])
    expect(requests.map(types)).toEqual([[], ['P', 'B', 'E', 'f', 'S'], ['Q', 'f'], ['P', 'H'], ['S']])
  })

  test('keeps a group together over chunks of one byte', () => {
    const stream = Buffer.concat([startupPacket, parse('s', 'a'), bind('', 's'), execute(''), sync])
    const whole = read(stream)
    const bytewise = read(...Array.from(stream, (byte) => Buffer.from([byte])))
    expect(bytewise).toEqual(whole)
    expect(whole).toHaveLength(2)
  })

  test('leaves out what belongs to a COPY that was refused', () => {
    const leftovers = [
      makeMessage('d', makeStrings('1')),
      makeMessage('c'),
      makeMessage('f', makeStrings('x')),
    ]
    expect(read(startupPacket, ...leftovers, sync).map(types)).toEqual([[], ['S']])
  })

  test('refuses messages of an unknown type', () => {
    expect(() => read(startupPacket, makeMessage('Y'))).toThrow('type 89')
  })

  test('treats a request to cancel as the end of its connection', () => {
    const cancel = Buffer.from([0, 0, 0, 16, 4, 210, 22, 46, 0, 0, 0, 0, 0, 0, 0, 0])
    expect(read(cancel)).toEqual([{ kind: 'terminate' }])
  })
})
