import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FrameMemory } from '#server/adapters/websocket/frame-memory.js'
import { readMemory } from '#server/adapters/websocket/unmask.js'
import { frameBytes, opcodes } from '../../support/websocket/raw-frame.js'

const seed = 20_261_117
const keyBytes = 4
const plain = /^[\x20-\x5b\x5d-\x7f]*$/

const memory = new FrameMemory(true)

/** Mostly plain, with a byte of another kind somewhere or nowhere. */
const payloads = fc
  .tuple(
    fc.oneof({ weight: 50, arbitrary: fc.nat(300) }, fc.constantFrom(6400, 65_535)),
    fc.constantFrom(0x20, 0x41, 0x7f),
    fc.nat(299),
    fc.oneof(fc.nat(255), fc.constantFrom(0x1f, 0x5c, 0x80)),
  )
  .map(([length, fill, at, other]) => {
    const payload = Buffer.alloc(length, fill)
    if (at < length) payload[at] = other
    return payload
  })

/** Brings what was read to where frames are cut out of it: elsewhere, as streams do, or where connections read into. */
const ways = {
  elsewhere: (read: Buffer) => Buffer.from(read),
  'in the read memory'(read: Buffer) {
    read.copy(readMemory)
    return readMemory
  },
}

test.each(Object.entries(ways))(
  '[RT-47] a frame is cut out of what was read %s: unmasked, behind a header that can be sent on, and known to be plain where it is',
  (way, bring) => {
    fc.assert(
      fc.property(payloads, fc.nat(7), fc.uint8Array({ minLength: 4, maxLength: 4 }), (payload, at, key) => {
        const frame = frameBytes({ opcode: opcodes.text, payload }, Buffer.from(key))
        const read = Buffer.concat([Buffer.alloc(at, 0xff), frame, Buffer.alloc(30, 0xff)])
        fc.pre(read.length <= readMemory.length || way === 'elsewhere')
        const source = bring(read)
        const end = at + frame.length
        const cut = memory.cut(source, { at, from: end - payload.length, end })
        expect(cut.payload.equals(payload)).toBe(true)
        expect(cut.isPlain).toBe(plain.test(payload.toString('latin1')))
        const headerBytes = frame.length - payload.length
        const header = Buffer.from(cut.payload.buffer, cut.payload.byteOffset - headerBytes, headerBytes)
        const expected = Buffer.concat([frame.subarray(0, headerBytes - keyBytes), Buffer.alloc(keyBytes)])
        expect(header.equals(expected)).toBe(true)
        // What was read around it is as it was, and in its place is a frame with the same payload.
        const left = Buffer.concat([expected, payload])
        const isWhole = source.subarray(at, end).equals(way === 'elsewhere' ? frame : left)
        expect(isWhole).toBe(true)
        expect(source.subarray(0, at).equals(read.subarray(0, at))).toBe(true)
        expect(source.subarray(end, read.length).equals(read.subarray(end))).toBe(true)
      }),
      { seed, numRuns: 2000 },
    )
  },
)

test('[RT-47] a mask comes off up to the last byte of the read memory', () => {
  const payload = Buffer.alloc(200, 0x41)
  const frame = frameBytes({ opcode: opcodes.text, payload }, Buffer.from([1, 2, 3, 4]))
  const [at, end] = [readMemory.length - frame.length, readMemory.length]
  frame.copy(readMemory, at)
  const cut = memory.cut(readMemory, { at, from: end - payload.length, end })
  expect([cut.payload.equals(payload), cut.isPlain]).toEqual([true, true])
})

test('[RT-47] the code that takes masks off is the one that is written', async () => {
  const script = fileURLToPath(new URL('../../../scripts/compile-unmask.mjs', import.meta.url))
  const { stderr } = await promisify(execFile)(process.execPath, [script, '--check'])
  expect(stderr).toBe('')
})
