import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { outcomeOf, type Peer } from './support/outcome.js'
import { frameBytes, opcodes, type RawFrame } from './support/raw-frame.js'

const maxMessageBytes = 65_536
const seed = 20_261_116

const sizes = fc.constantFrom(0, 1, 3, 4, 5, 125, 126, 127, 6400, 65_535, 65_536)
const fills = fc.constantFrom('a', 'é', '😀', '\u0000', 'ab"\\')

const text = fc
  .tuple(sizes, fills)
  .map(([size, fill]) => fill.repeat(Math.floor(size / Buffer.byteLength(fill))))

const short = fc.uint8Array({ maxLength: 125 }).map((bytes) => Buffer.from(bytes))

const message: fc.Arbitrary<RawFrame[]> = fc.oneof(
  { weight: 4, arbitrary: text.map((payload) => [{ opcode: opcodes.text, payload }]) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(sizes, fc.integer({ min: 0, max: 255 }))
      .map(([size, byte]) => [{ opcode: opcodes.binary, payload: Buffer.alloc(size, byte) }]),
  },
  { weight: 1, arbitrary: short.map((payload) => [{ opcode: opcodes.text, payload }]) },
  {
    weight: 1,
    arbitrary: short.map((payload) => [{ opcode: opcodes.binary, payload, lengthBytes: 8 as const }]),
  },
)

const control: fc.Arbitrary<RawFrame> = fc
  .tuple(fc.constantFrom(opcodes.ping, opcodes.pong), short)
  .map(([opcode, payload]) => ({ opcode, payload }))

/** A fragmented message with a ping or pong between two fragments. */
const pieces: fc.Arbitrary<RawFrame[]> = fc
  .tuple(
    fc.constantFrom(opcodes.text, opcodes.binary),
    fc.array(text, { minLength: 2, maxLength: 4 }),
    control,
    fc.nat(3),
  )
  .map(([opcode, parts, between, place]) => {
    const frames: RawFrame[] = parts.map((payload, index) => ({
      opcode: index === 0 ? opcode : opcodes.continuation,
      payload,
      isLast: index === parts.length - 1,
    }))
    frames.splice(place, 0, between)
    return frames
  })

/** A frame with any header, valid or invalid. */
const anything: fc.Arbitrary<RawFrame> = fc.record({
  opcode: fc.nat(15),
  payload: short,
  isLast: fc.boolean(),
  reserved: fc.constantFrom(0, 0, 0, 1, 2, 4),
})

const close: fc.Arbitrary<RawFrame> = fc
  .tuple(fc.constantFrom(0, 999, 1000, 1005, 1011, 3000, 4999, 5000), fc.constantFrom('', 'bye', '\xff'))
  .map(([code, reason]) => {
    const payload = Buffer.concat([Buffer.alloc(2), Buffer.from(reason, 'latin1')])
    payload.writeUInt16BE(code)
    return { opcode: opcodes.close, payload }
  })

const stream = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: message },
    { weight: 2, arbitrary: control.map((frame) => [frame]) },
    { weight: 2, arbitrary: pieces },
    { weight: 1, arbitrary: anything.map((frame) => [frame]) },
    { weight: 1, arbitrary: close.map((frame) => [frame]) },
  ),
  { minLength: 1, maxLength: 8 },
)

/** Split points as fractions of the stream's length. `nearStarts` adds split points within frame headers. */
const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 })
const nearStarts = fc.array(fc.tuple(fc.nat(7), fc.nat(14)), { maxLength: 6 })

function cut(
  frames: readonly Buffer[],
  shares: readonly number[],
  near: readonly (readonly [number, number])[],
) {
  const bytes = Buffer.concat(frames)
  const starts = frames.map((_, index) => Buffer.concat(frames.slice(0, index)).length)
  const places = [
    ...shares.map((share) => Math.floor(share * bytes.length)),
    ...near.map(([index, offset]) => (starts[index] ?? 0) + offset),
  ].sort((one, other) => one - other)
  return [...places, bytes.length]
    .map((to, index) => bytes.subarray(places[index - 1] ?? 0, to))
    .filter((chunk) => chunk.length > 0)
}

describe.each<Peer>(['client', 'server'])('any stream of a %s, split anywhere', (peer) => {
  test('has the same outcome on the fast path as on ws [RT-47]', async () => {
    await fc.assert(
      fc.asyncProperty(
        stream,
        cuts,
        nearStarts,
        fc.uint8Array({ minLength: 4, maxLength: 4 }),
        fc.constantFrom(peer, peer, peer, peer === 'client' ? 'server' : 'client'),
        async (messages, shares, near, key, maskedBy) => {
          const mask = maskedBy === 'client' ? Buffer.from(key) : null
          const frames = messages.flat().map((frame) => frameBytes(frame, mask))
          const chunks = cut(frames, shares, near)
          const [fast, plain] = await Promise.all(
            (['fast', 'ws'] as const).map((io) =>
              outcomeOf({ peer, io, maxMessageBytes, wire: 'tcp' }, chunks),
            ),
          )
          expect(fast).toEqual(plain)
        },
      ),
      { seed, numRuns: 120 },
    )
  })
})
