import { describe, expect, test } from 'vitest'
import { MediaSession } from '#telephone/media/media-session.js'
import { RtpStream } from '#telephone/media/rtp-stream.js'
import { SrtpReceiver } from '#telephone/media/srtp.js'
import { StreamFraming } from '#telephone/sip/stream-framing.js'
import { MemoryNetwork } from '../support/memory-network.js'
import { inviteLines, text } from '../support/messages.js'
import { TestPhone } from '../support/test-phone.js'
import { TestTimers } from '../support/test-timers.js'

/** Pseudo-random numbers, the same in each run. */
function makeRandom(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

const pieces = [
  '\r\n',
  ';',
  ',',
  '"',
  '<',
  '>',
  ':',
  '=',
  '\0',
  '\t ',
  '%',
  'SIP/2.0',
  '9'.repeat(30),
  'ÿ',
  ';tag=',
  'Via: ',
]

/** Changes a few places: bytes are replaced, removed, doubled, or a piece of syntax is put in. */
function mutate(bytes: Buffer, random: (limit: number) => number): Buffer {
  let changed = Buffer.from(bytes)
  for (let round = random(8) + 1; round > 0; round -= 1) {
    const at = random(changed.length + 1)
    const end = Math.min(changed.length, at + random(12))
    const middle = [
      Buffer.from([random(256)]),
      Buffer.alloc(0),
      Buffer.from(pieces[random(pieces.length)] ?? ''),
      changed.subarray(random(changed.length + 1)),
    ][random(4)]
    changed = Buffer.concat([changed.subarray(0, at), middle ?? Buffer.alloc(0), changed.subarray(end)])
    if (changed.length > 20_000) changed = changed.subarray(0, 20_000)
  }
  return changed
}

const from = { address: '192.0.2.9', port: 5060 }

describe('fuzzed packets', () => {
  test('10,000 SIP messages do not crash a user agent, cause bounded work each, and leave nothing behind', () => {
    const random = makeRandom(1)
    const timers = new TestTimers()
    const network = new MemoryNetwork(timers)
    const ann = new TestPhone(network, timers, '192.0.2.1')
    const bob = new TestPhone(network, timers, '192.0.2.2')
    bob.onCall = ({ call }) => call.accept()
    const caller = ann.dial(bob)
    timers.advance(100)
    caller.call.hold(true)
    timers.advance(100)
    const call = network.sent.map((packet) => Buffer.from(packet))
    const seeds = [
      ...call,
      text(...inviteLines()),
      text(...inviteLines({ To: '<sip:b@x>;tag=1', CSeq: '1 BYE' })),
    ]
    let largest = 0
    /** The most messages and timers that one packet has caused at once, and the most timers that waited. */
    const most = { sent: 0, started: 0, waiting: 0 }
    for (let count = 0; count < 10_000; count += 1) {
      const seed = seeds[random(seeds.length)] ?? Buffer.alloc(0)
      const phone = random(2) === 0 ? ann : bob
      const [sent, waiting] = [network.sent.length, timers.count]
      phone.agent.receive(mutate(seed, random), from)
      most.sent = Math.max(most.sent, network.sent.length - sent)
      most.started = Math.max(most.started, timers.count - waiting)
      timers.advance(random(40))
      most.waiting = Math.max(most.waiting, timers.count)
      largest = Math.max(largest, phone.agent.transactions.size, phone.agent.callCount)
    }
    expect(largest).toBeLessThanOrEqual(200)
    // Two messages: a response and a request of the call. Each transaction has two timers, and a new call one more.
    expect(most.sent).toBeLessThanOrEqual(2)
    expect(most.started).toBeLessThanOrEqual(5)
    expect(most.waiting).toBeLessThanOrEqual(2 * 200 + 10)
    // All transactions and calls that the packets started have ended.
    ann.agent.hangUpAll()
    bob.agent.hangUpAll()
    timers.advance(300_000)
    expect([ann.agent.transactions.size, bob.agent.transactions.size]).toEqual([0, 0])
    expect([ann.agent.callCount, bob.agent.callCount]).toEqual([0, 0])
    expect(timers.count).toBe(0)
  })

  test('10,000 descriptions do not crash, whether offers or answers', () => {
    const random = makeRandom(2)
    const session = new MediaSession({
      address: '192.0.2.1',
      port: () => 4000,
      codecs: ['g711_ulaw', 'g711_alaw'],
      srtp: 'offered',
      sessionId: 1,
      agreed: () => {},
    })
    const seed = Buffer.from(session.makeOffer())
    let accepted = 0
    for (let count = 0; count < 10_000; count += 1) {
      const changed = mutate(seed, random).toString()
      if (session.answerOffer(changed) !== null) accepted += 1
      session.acceptAnswer(changed)
    }
    expect(accepted).toBeGreaterThan(0)
    expect(accepted).toBeLessThan(10_000)
  })

  test('10,000 RTP and SRTP packets do not crash', () => {
    const random = makeRandom(3)
    const timers = new TestTimers()
    let heard = 0
    const stream = new RtpStream({
      isServer: () => false,
      timers,
      limitMilliseconds: 0,
      send: () => {},
      listener: {
        audio: (audio) => {
          heard += audio.length
        },
        digit: () => {},
        played: () => {},
        silent: () => {},
      },
    })
    stream.agree({
      remote: null,
      codec: 'g711_ulaw',
      payloadType: 0,
      telephoneEvent: 101,
      canSend: true,
      canReceive: true,
      keys: null,
    })
    const receiver = new SrtpReceiver(Buffer.alloc(30, 1))
    for (let count = 0; count < 10_000; count += 1) {
      const seed = Buffer.concat([Buffer.from([0x80, random(2) * 101, 0, count % 256]), Buffer.alloc(168)])
      const packet = mutate(seed, random)
      stream.receive(packet, from)
      receiver.open(packet)
    }
    // Lost packets are replaced, but never by more than a little.
    expect(heard).toBeLessThan(10_000 * 20_000)
    expect(heard).toBeGreaterThan(0)
  })

  test('a fuzzed stream is cut into messages without copies of its bytes, or refused', () => {
    const random = makeRandom(4)
    const seed = text(...inviteLines({ 'Content-Length': '0' }))
    for (let count = 0; count < 2000; count += 1) {
      const framing = new StreamFraming()
      const bytes = mutate(Buffer.concat([seed, Buffer.from('\r\n\r\n'), seed]), random)
      let found = 0
      for (let at = 0; at < bytes.length; at += 97) {
        const cut = framing.push(bytes.subarray(at, at + 97))
        if (cut === null) break
        found += cut.messages.reduce((sum, { length }) => sum + length, 0)
        expect(found).toBeLessThanOrEqual(at + 97)
      }
    }
  })
})

describe('StreamFraming', () => {
  const message = text(...inviteLines({ 'Content-Length': '0' }))

  test('finds messages that arrive in pieces of any size', () => {
    const bytes = Buffer.concat([message, Buffer.from('\r\n\r\n'), message])
    for (const size of [1, 2, 3, 7, 100, 10_000]) {
      const framing = new StreamFraming()
      const found: Buffer[] = []
      for (let at = 0; at < bytes.length; at += size) {
        const cut = framing.push(bytes.subarray(at, at + size))
        found.push(...(cut?.messages ?? []))
      }
      expect(found.map(String)).toEqual([message, message].map(String))
    }
  })

  test('counts the pings between messages', () => {
    expect(new StreamFraming().push(Buffer.from('\r\n\r\n'))).toEqual({ messages: [], pings: 1 })
  })

  test('refuses headers and bodies beyond the limits', () => {
    expect(new StreamFraming().push(Buffer.alloc(20_000, 'x'))).toBeNull()
    const large = text(...inviteLines({ 'Content-Length': '99999999' }))
    expect(new StreamFraming().push(large)).toBeNull()
  })
})
