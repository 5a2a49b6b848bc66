import { beforeEach, describe, expect, test } from 'vitest'
import { parseRtp, writeRtp } from '#telephone/media/rtp.js'
import { type Agreement, RtpStream } from '#telephone/media/rtp-stream.js'
import type { NetworkAddress } from '#telephone/network-address.js'
import { TestTimers } from '../support/test-timers.js'

const described = { address: '192.0.2.5', port: 4000 }
const inNetwork = { address: '192.168.1.5', port: 4000 }
const behindNat = { address: '198.51.100.7', port: 61_000 }
const untrusted = { address: '203.0.113.66', port: 6666 }

const agreement: Agreement = {
  remote: described,
  codec: 'g711_ulaw',
  payloadType: 0,
  telephoneEvent: 101,
  canSend: true,
  canReceive: true,
  keys: null,
}

let timers: TestTimers
let stream: RtpStream
let sent: { packet: Buffer; to: NetworkAddress }[]
let heard: string[]
let events: string[]
let sequence: number

beforeEach(() => {
  timers = new TestTimers()
  sent = []
  heard = []
  events = []
  sequence = 0
  stream = makeStream()
  stream.agree(agreement)
})

function makeStream(): RtpStream {
  return new RtpStream({
    timers,
    limitMilliseconds: 5000,
    isServer: (address) => address === '192.0.2.77',
    send: (packet, to) => sent.push({ packet, to }),
    listener: {
      audio: (audio) => heard.push(Buffer.from(audio.subarray(0, 4)).toString('latin1')),
      digit: (digit) => events.push(`digit ${digit}`),
      played: (passage, milliseconds) => events.push(`played ${passage} ${milliseconds}`),
      silent: () => events.push('silent'),
    },
  })
}

function arrive(from: NetworkAddress, word: string, payloadType = 0): void {
  sequence += 1
  const payload = Buffer.from(word)
  stream.receive(
    writeRtp({ payloadType, sequence, timestamp: sequence * 160, source: 1, payload }, false),
    from,
  )
}

function run(frames: number): void {
  for (let index = 0; index < frames; index += 1) {
    timers.advance(20)
    stream.frame()
  }
}

const targets = () => [...new Set(sent.splice(0).map(({ to }) => to.address))]

describe('the address of the peer', () => {
  test('is the described one until a packet comes', () => {
    run(2)
    expect(targets()).toEqual([described.address])
  })

  test('is that of three packets in a row if the described one is private, because of NAT', () => {
    stream.agree({ ...agreement, remote: inNetwork })
    for (const word of ['one1', 'two2', 'thr3']) arrive(behindNat, word)
    run(2)
    expect(targets()).toEqual([behindNat.address])
    expect(heard).toEqual(['thr3'])
  })

  test('is not taken from fewer packets, from gaps or from several sources', () => {
    stream.agree({ ...agreement, remote: inNetwork })
    arrive(untrusted, 'evil')
    arrive(untrusted, 'evil')
    sequence += 1
    arrive(untrusted, 'evil')
    arrive(untrusted, 'evil')
    arrive({ ...untrusted, port: 7777 }, 'evil')
    arrive(untrusted, 'evil')
    run(2)
    expect(targets()).toEqual([inNetwork.address])
    expect(heard).toEqual([])
  })

  test('is never an untrusted one if the described one is public', () => {
    for (let count = 0; count < 10; count += 1) arrive(untrusted, 'evil')
    run(2)
    expect(targets()).toEqual([described.address])
    expect(heard).toEqual([])
  })

  test.each([
    ['another port of the described host', { ...described, port: 5000 }],
    ['the server', { address: '192.0.2.77', port: 5000 }],
  ])('may be %s', (_title, from) => {
    for (const word of ['one1', 'two2', 'thr3']) arrive(from, word)
    run(1)
    expect(sent.at(-1)?.to).toEqual(from)
  })

  test('cannot be taken over by an untrusted one', () => {
    arrive(described, 'one1')
    arrive(untrusted, 'evil')
    run(2)
    expect(targets()).toEqual([described.address])
    expect(heard).toEqual(['one1'])
  })

  test('is won back by the described one if an untrusted one was first', () => {
    stream.agree({ ...agreement, remote: inNetwork })
    for (let count = 0; count < 3; count += 1) arrive(untrusted, 'evil')
    arrive(inNetwork, 'one1')
    arrive(untrusted, 'evil')
    run(2)
    expect(targets()).toEqual([inNetwork.address])
    expect(heard).toEqual(['evil', 'one1'])
  })

  test('is not taken from a packet of another payload type', () => {
    arrive(untrusted, 'evil', 77)
    run(2)
    expect(targets()).toEqual([described.address])
  })

  test('is open again after a new description', () => {
    arrive(described, 'one1')
    stream.agree({ ...agreement, remote: { address: '10.0.0.8', port: 4002 } })
    run(1)
    expect(targets()).toEqual(['10.0.0.8'])
    for (let count = 0; count < 3; count += 1) arrive(behindNat, 'new1')
    run(1)
    expect(targets()).toEqual([behindNat.address])
  })

  test('moves with encrypted packets, which others cannot make', () => {
    const keys = { own: Buffer.alloc(30, 1), peer: Buffer.alloc(30, 2) }
    const peer = makeStream()
    stream.agree({ ...agreement, keys })
    peer.agree({ ...agreement, keys: { own: keys.peer, peer: keys.own } })
    peer.frame()
    peer.frame()
    const [first, second] = sent.splice(0).map(({ packet }) => packet)
    stream.receive(first ?? Buffer.alloc(0), described)
    arrive(untrusted, 'evil')
    stream.receive(second ?? Buffer.alloc(0), behindNat)
    run(1)
    expect(targets()).toEqual([behindNat.address])
  })

  test('stays after a repeated description', () => {
    stream.agree({ ...agreement, remote: inNetwork })
    for (let count = 0; count < 3; count += 1) arrive(behindNat, 'one1')
    stream.agree({ ...agreement, remote: { ...inNetwork } })
    run(1)
    expect(targets()).toEqual([behindNat.address])
  })
})

describe('a peer that sends too much', () => {
  /** Sends packets at once. Returns how many of them were heard. */
  function flood(packets: number, bytes: number): number {
    const before = heard.length
    for (let count = 0; count < packets; count += 1) arrive(described, 'x'.repeat(bytes))
    return heard.length - before
  }

  test('is heard at twice real time', () => {
    expect(flood(1000, 160)).toBe(100)
    timers.advance(1000)
    expect(flood(1000, 160)).toBe(100)
  })

  test('is heard no more often with small packets', () => {
    expect(flood(1000, 1)).toBe(200)
  })

  test('is not heard with large packets', () => {
    expect(flood(10, 1601)).toBe(0)
    expect(flood(10, 1600)).toBe(10)
  })

  test('cannot flood with digits', () => {
    for (let count = 0; count < 1000; count += 1) arrive(described, '\u0005\u0080\u0000\u0001', 101)
    expect(events.length).toBe(50)
  })
})

describe('what is sent', () => {
  const packets = () => sent.splice(0).map(({ packet }) => parseRtp(packet))

  test('is silence if nothing is queued, in an even row', () => {
    run(3)
    const [one, two, three] = packets()
    expect(one?.payload.every((byte) => byte === 0xff)).toBe(true)
    expect([two, three].map((packet) => ((packet?.sequence ?? 0) - (one?.sequence ?? 0)) & 0xffff)).toEqual([
      1, 2,
    ])
    expect([two, three].map((packet) => ((packet?.timestamp ?? 0) - (one?.timestamp ?? 0)) >>> 0)).toEqual([
      160, 320,
    ])
  })

  test('is a digit with the timestamp of its start, and the audio waits', () => {
    stream.play(Buffer.alloc(320, 1), 'a')
    stream.sendDigits('5')
    run(9)
    const all = packets()
    expect(new Set(all.map((packet) => packet?.timestamp)).size).toBe(1)
    expect(all.every((packet) => packet?.payloadType === 101)).toBe(true)
    run(2)
    expect(events).toEqual(['played a 40'])
  })

  test('is nothing while the peer holds the call, and audio waits', () => {
    stream.play(Buffer.alloc(160, 1), 'a')
    stream.agree({ ...agreement, canSend: false })
    run(10)
    expect(sent).toEqual([])
    stream.agree(agreement)
    run(1)
    expect(events).toEqual(['played a 20'])
  })

  test('is encrypted with an unbroken counter after a repeated agreement', () => {
    const keys = { own: Buffer.alloc(30, 1), peer: Buffer.alloc(30, 2) }
    const peer = makeStream()
    stream.agree({ ...agreement, keys })
    peer.agree({ ...agreement, keys: { own: keys.peer, peer: keys.own } })
    stream.play(Buffer.alloc(1600, 'a'), 'a')
    run(2)
    stream.agree({ ...agreement, keys: { own: Buffer.from(keys.own), peer: Buffer.from(keys.peer) } })
    run(2)
    for (const { packet } of sent) peer.receive(packet, described)
    expect(heard).toEqual(['aaaa', 'aaaa', 'aaaa', 'aaaa'])
    peer.receive(
      writeRtp({ payloadType: 0, sequence: 9, timestamp: 0, source: 1, payload: Buffer.alloc(170) }, false),
      described,
    )
    expect(heard).toHaveLength(4)
  })
})

describe('a peer that sends nothing', () => {
  test('is replaced by silence, and counts as gone after the limit', () => {
    stream.watch()
    arrive(described, 'one1')
    run(100)
    expect(heard.length).toBeGreaterThan(85)
    expect(events).toEqual([])
    run(200)
    expect(events).toEqual(['silent'])
  })

  test('does not count as gone while the call is held', () => {
    stream.watch()
    stream.agree({ ...agreement, canReceive: false })
    run(1000)
    expect(events).toEqual([])
  })

  test('does not count as gone before the call is answered', () => {
    run(1000)
    expect(events).toEqual([])
  })
})
