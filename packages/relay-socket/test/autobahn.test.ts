import { describe, expect, test } from 'vitest'
import type { RelayIo } from '#relay-socket/index.js'
import { autobahnCases } from './support/autobahn-cases.js'
import { outcomeOf, type Peer } from './support/outcome.js'
import { frameBytes } from './support/raw-frame.js'

const maxMessageBytes = 65_536
const key = Buffer.from([0x37, 0xfa, 0x21, 0x3d])
/**
 * Streams of up to this many bytes arrive byte by byte. Longer streams arrive in at most this many pieces.
 */
const maxPieces = 300

const splits: readonly [string, (bytes: Buffer) => Buffer[]][] = [
  ['at once', (bytes) => [bytes]],
  [
    'in many pieces',
    (bytes) => {
      const step = Math.ceil(bytes.length / maxPieces)
      const count = Math.ceil(bytes.length / step)
      return Array.from({ length: count }, (_, at) => bytes.subarray(at * step, (at + 1) * step))
    },
  ],
]

const paths = (['ws', 'fast'] as const).flatMap((io) =>
  (['client', 'server'] as const).map((peer): [RelayIo, Peer] => [io, peer]),
)

/** Groups 1 to 7, 9 and 10 of the Autobahn test suite. Groups 12 and 13 need compression, which the relay never uses. */
describe.each(paths)('%s, frames of a %s', (io, peer) => {
  const cases = autobahnCases.filter((each) => (each.peer ?? peer) === peer)
  test.each(cases)(
    'passes Autobahn case $id: $title [RT-47]',
    async ({ id, frames, messages = [], pongs = [], close }) => {
      const bytes = Buffer.concat(frames.map((frame) => frameBytes(frame, peer === 'client' ? key : null)))
      for (const [way, cut] of splits) {
        const { events, sent } = await outcomeOf({ peer, io, maxMessageBytes }, cut(bytes))
        const received = events.filter((event) => /^(text|binary) /.test(event))
        expect(received, way).toEqual(messages)
        const answers = [
          ...pongs.map((data) => `pong ${data}`),
          ...(close === undefined ? [] : [`close ${close}`]),
        ]
        expect(sent, way).toEqual(answers)
        expect(events.includes('too big'), way).toBe(id.startsWith('9.') && close === 1009)
      }
    },
  )
})
