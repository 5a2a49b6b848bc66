import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MessageSplitter } from '#server/adapters/database/embedded/message-splitter.js'
import { makeMessage } from '#server/adapters/database/embedded/wire-messages.js'

function takeAll(splitter: MessageSplitter): Buffer[] {
  const messages: Buffer[] = []
  for (let message = splitter.take(1); message; message = splitter.take(1)) messages.push(message)
  return messages
}

describe('cutting a stream into messages', () => {
  test('finds the same messages however the stream is cut into chunks', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 40 })),
        fc.array(fc.integer({ min: 0, max: 60 })),
        (bodies, cuts) => {
          const sent = bodies.map((body) => makeMessage('Q', body))
          const splitter = new MessageSplitter()
          const taken: Buffer[] = []
          let rest = Buffer.concat(sent)
          for (const cut of [...cuts, rest.length]) {
            splitter.append(new Uint8Array(rest.subarray(0, cut)))
            rest = rest.subarray(cut)
            taken.push(...takeAll(splitter))
          }
          expect(taken).toEqual(sent)
        },
      ),
    )
  })

  test('reads messages without a type', () => {
    const splitter = new MessageSplitter()
    splitter.append(Buffer.from([0, 0, 0, 8, 1, 2, 3]))
    expect(splitter.take(0)).toBeNull()
    splitter.append(Buffer.from([4, 0x53, 0, 0, 0, 4]))
    expect(splitter.take(0)).toEqual(Buffer.from([0, 0, 0, 8, 1, 2, 3, 4]))
    expect(splitter.take(1)).toEqual(makeMessage('S'))
  })

  test('takes a large message in small chunks in linear time', () => {
    const message = makeMessage('B', Buffer.alloc(4 * 1024 * 1024))
    const splitter = new MessageSplitter()
    for (let offset = 0; offset < message.length; offset += 1024) {
      expect(splitter.take(1)).toBeNull()
      splitter.append(message.subarray(offset, offset + 1024))
    }
    expect(splitter.take(1)).toHaveLength(message.length)
  })

  test.each([-1, 0, 3, 2 ** 30])('refuses a length of %i', (length) => {
    const splitter = new MessageSplitter()
    const header = makeMessage('Q')
    header.writeInt32BE(length, 1)
    splitter.append(header)
    expect(() => splitter.take(1)).toThrow(`${length} bytes`)
  })
})
