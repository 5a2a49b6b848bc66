import { describe, expect, test } from 'vitest'
import { wholeFrame } from '#server/adapters/websocket/whole-frame.js'
import { frameBytes, type RawFrame } from '../../support/websocket/raw-frame.js'

const zeroKey = Buffer.alloc(4)
const text = (bytes: number): RawFrame => ({ opcode: 1, payload: 'a'.repeat(bytes) })

/** The payload of a frame that lies somewhere in a larger piece of memory. */
function received(frame: RawFrame, key: Buffer | null = null): Buffer {
  const payloadBytes = Buffer.from(frame.payload ?? '').length
  const memory = Buffer.concat([Buffer.alloc(7, 0x81), frameBytes(frame, key)])
  return memory.subarray(memory.length - payloadBytes)
}

describe('[RT-47] a frame that is passed on with the header it came with', () => {
  const headers: readonly [string, Buffer | null, number][] = [
    ['to a client', null, 0],
    ['to a provider', zeroKey, 4],
  ]
  test.each(headers)('%s is whole in both classes of length, and nothing is copied', (_, key, keyBytes) => {
    for (const bytes of [0, 1, 125, 126, 6400, 65_535]) {
      const payload = received(text(bytes), key)
      const frame = wholeFrame(payload, false, key !== null)
      expect(frame?.length).toBe(bytes + keyBytes + (bytes < 126 ? 2 : 4))
      expect(frame?.buffer).toBe(payload.buffer)
      expect(frame?.equals(frameBytes(text(bytes), key))).toBe(true)
    }
  })

  test('keeps text and binary apart', () => {
    const binary = received({ opcode: 2, payload: Buffer.alloc(200) })
    expect(wholeFrame(binary, true, false)).not.toBeNull()
    expect(wholeFrame(binary, false, false)).toBeNull()
    expect(wholeFrame(received(text(200)), true, false)).toBeNull()
  })

  test.each([
    ['the first part of a message', received({ ...text(200), isLast: false })],
    ['a later part of one', received({ ...text(200), opcode: 0 })],
    ['a compressed frame', received({ ...text(200), reserved: 4 })],
    ['a masked frame', received(text(200), zeroKey)],
    ['another length', received({ ...text(200), claimedBytes: 201 })],
    ['a length that is written longer than it need be', received({ ...text(125), lengthBytes: 2 })],
    ['a long one', received(text(65_536))],
    ['memory of its own', Buffer.from(new ArrayBuffer(200))],
  ])('is not made of %s, for a client', (_, payload) => {
    expect(wholeFrame(payload, false, false)).toBeNull()
  })

  test.each([
    ['a frame without a key', received(text(200))],
    ['a frame with another key than zeros', received(text(200), Buffer.from([0, 0, 0, 1]))],
  ])('is not made of %s, for a provider', (_, payload) => {
    expect(wholeFrame(payload, false, true)).toBeNull()
  })
})
