import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutFrame } from '#server/adapters/websocket/frame-memory.js'
import { frameBytes, opcodes } from '../../support/websocket/raw-frame.js'

const seed = 20_261_117
const keyBytes = 4
const plain = /^[\x20-\x7f]*$/

/** Mostly plain, with a byte of another kind somewhere or nowhere. */
const payloads = fc
  .tuple(fc.integer({ min: 0, max: 300 }), fc.constantFrom(0x20, 0x41, 0x7f), fc.nat(299), fc.nat(255))
  .map(([length, fill, at, other]) => {
    const payload = Buffer.alloc(length, fill)
    if (at < length) payload[at] = other
    return payload
  })

test('[RT-47] a frame is cut out of what was read: unmasked, behind a header that can be sent on, and known to be plain where it is', () => {
  fc.assert(
    fc.property(payloads, fc.nat(7), fc.uint8Array({ minLength: 4, maxLength: 4 }), (payload, at, key) => {
      const frame = frameBytes({ opcode: opcodes.text, payload }, Buffer.from(key))
      const read = Buffer.concat([Buffer.alloc(at, 0xff), frame, Buffer.alloc(3, 0xff)])
      const end = at + frame.length
      const cut = cutFrame(read, { at, from: end - payload.length, end, isMasked: true })
      expect(cut.payload.equals(payload)).toBe(true)
      expect(cut.isPlain).toBe(plain.test(payload.toString('latin1')))
      const headerBytes = frame.length - payload.length
      const header = Buffer.from(cut.payload.buffer, cut.payload.byteOffset - headerBytes, headerBytes)
      const expected = Buffer.concat([frame.subarray(0, headerBytes - keyBytes), Buffer.alloc(keyBytes)])
      expect(header.equals(expected)).toBe(true)
      // What was read is as it was.
      expect(read.subarray(at, end).equals(frame)).toBe(true)
    }),
    { seed, numRuns: 2000 },
  )
})
