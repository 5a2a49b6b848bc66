import { describe, expect, test } from 'vitest'
import { wholeFrame } from '#server/adapters/websocket/whole-frame.js'

/** A frame as a server sends it, somewhere in a larger piece of memory. */
function received(payloadBytes: number, { opcode = 0x81, before = 7, header = [126] as number[] } = {}) {
  const length =
    header.length === 1 && header[0] === 126 ? [126, payloadBytes >> 8, payloadBytes & 0xff] : header
  const head = Buffer.from([opcode, ...length])
  const memory = Buffer.concat([Buffer.alloc(before, 0x81), head, Buffer.alloc(payloadBytes, 'a')])
  return memory.subarray(before + head.length)
}

describe('a frame that is passed on with the header it came with', () => {
  test.each([126, 6400, 65_535])('is whole at %d bytes, and nothing is copied', (bytes) => {
    const payload = received(bytes)
    const frame = wholeFrame(payload, false)
    expect(frame?.length).toBe(bytes + 4)
    expect(frame?.buffer).toBe(payload.buffer)
    expect(frame?.subarray(4).equals(payload)).toBe(true)
    expect([...(frame?.subarray(0, 4) ?? [])]).toEqual([0x81, 126, bytes >> 8, bytes & 0xff])
  })

  test('keeps text and binary apart', () => {
    expect(wholeFrame(received(200, { opcode: 0x82 }), true)).not.toBeNull()
    expect(wholeFrame(received(200, { opcode: 0x82 }), false)).toBeNull()
    expect(wholeFrame(received(200), true)).toBeNull()
  })

  test.each([
    ['the first part of a message', received(200, { opcode: 0x01 })],
    ['a later part of one', received(200, { opcode: 0x80 })],
    ['a compressed frame', received(200, { opcode: 0xc1 })],
    ['a masked frame', received(200, { header: [0xfe, 0, 200] })],
    ['another length', received(200, { header: [126, 0, 201] })],
    ['a short one', received(125, { header: [125] })],
    ['a long one', received(65_536, { header: [127, 0, 0, 0, 0, 0, 1, 0, 0] })],
    ['memory of its own', Buffer.from(new ArrayBuffer(200))],
    ['a place too near the beginning', received(200, { before: 0, header: [126] }).subarray(0, 199)],
  ])('is not made of %s', (_, payload) => {
    expect(wholeFrame(payload, false)).toBeNull()
  })
})
