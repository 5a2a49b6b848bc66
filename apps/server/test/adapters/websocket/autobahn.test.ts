import { describe, expect, test } from 'vitest'
import { autobahnCases } from '../../support/websocket/autobahn-cases.js'
import { outcomeOf, type Peer } from '../../support/websocket/outcome.js'
import { frameBytes } from '../../support/websocket/raw-frame.js'

const maxMessageBytes = 65_536
const key = Buffer.from([0x37, 0xfa, 0x21, 0x3d])
/** Streams of up to so many bytes come octet by octet, longer ones in as many pieces. */
const maxPieces = 300

const chunkings: readonly [string, (bytes: Buffer) => Buffer[]][] = [
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

describe.each<Peer>(['client', 'server'])('[RT-47] frames of a %s, as Autobahn tests them', (peer) => {
  const cases = autobahnCases.filter((each) => (each.peer ?? peer) === peer)
  test.each(cases)('$id: $title', async ({ id, frames, messages = [], pongs = [], close }) => {
    const bytes = Buffer.concat(frames.map((frame) => frameBytes(frame, peer === 'client' ? key : null)))
    for (const [way, cut] of chunkings) {
      const { events, sent } = await outcomeOf({ peer, isDirect: true, maxMessageBytes }, cut(bytes))
      const received = events.filter((event) => /^(text|binary) /.test(event))
      expect(received, way).toEqual(messages)
      const answers = [
        ...pongs.map((data) => `pong ${data}`),
        ...(close === undefined ? [] : [`close ${close}`]),
      ]
      expect(sent, way).toEqual(answers)
      expect(events.includes('too big'), way).toBe(id.startsWith('9.') && close === 1009)
    }
  })
})
