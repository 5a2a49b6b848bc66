import { describe, expect, test } from 'vitest'
import { DigitReceiver, DigitSender } from '#telephone/media/digits.js'
import { PacingClock } from '#telephone/media/pacing-clock.js'
import { PlayQueue } from '#telephone/media/play-queue.js'
import { ReceivedOrder } from '#telephone/media/received-order.js'
import { isRtcp, parseRtp, writeRtp } from '#telephone/media/rtp.js'
import { TestTimers } from '../support/test-timers.js'

describe('RTP packets', () => {
  const packet = {
    payloadType: 0,
    sequence: 65_535,
    timestamp: 4_294_967_295,
    source: 1,
    payload: Buffer.from('abc'),
  }

  test('are read as they were written', () => {
    expect(parseRtp(writeRtp(packet, true))).toEqual(packet)
  })

  test('may have sources, an extension and padding', () => {
    const bytes = writeRtp(packet, false)
    const extended = Buffer.concat([
      Buffer.from([0xb1]),
      bytes.subarray(1, 12),
      Buffer.alloc(4, 9),
      Buffer.from([0, 0, 0, 1, 7, 7, 7, 7]),
      Buffer.from('abc'),
      Buffer.from([0, 2]),
    ])
    expect(parseRtp(extended)?.payload.toString()).toBe('abc')
  })

  test.each([
    ['a short header', Buffer.alloc(11, 0x80)],
    ['another version', Buffer.alloc(20, 0x40)],
    ['more sources than bytes', Buffer.concat([Buffer.from([0x8f]), Buffer.alloc(20)])],
    [
      'an extension beyond the end',
      Buffer.concat([Buffer.from([0x90]), Buffer.alloc(11), Buffer.from([0, 0, 255, 255])]),
    ],
    ['more padding than payload', Buffer.concat([Buffer.from([0xa0]), Buffer.alloc(12), Buffer.from([200])])],
  ])('with %s are rejected', (_title, bytes) => expect(parseRtp(bytes)).toBeNull())

  test('are distinguished from RTCP', () => {
    expect(isRtcp(Buffer.from([0x80, 200]))).toBe(true)
    expect(isRtcp(writeRtp({ ...packet, payloadType: 8 }, true))).toBe(false)
  })
})

describe('ReceivedOrder', () => {
  function hear(...packets: readonly (readonly [sequence: number, source?: number])[]): string {
    const heard: string[] = []
    const order = new ReceivedOrder({
      ordered: (payload) => heard.push(payload.toString()),
      lost: () => heard.push('-'),
    })
    for (const [sequence, source = 1] of packets) order.push(source, sequence, Buffer.from(`${sequence}`))
    return heard.join(' ')
  }

  test('passes packets in order at once', () => expect(hear([1], [2], [3])).toBe('1 2 3'))
  test('sorts swapped packets', () => expect(hear([1], [3], [2], [4])).toBe('1 2 3 4'))
  test('leaves out repeated and late packets', () => expect(hear([1], [2], [2], [1], [3])).toBe('1 2 3'))
  test('puts silence in the place of a lost packet after three others', () =>
    expect(hear([1], [3], [4], [5], [6])).toBe('1 - 3 4 5 6'))
  test('follows the number over its end', () =>
    expect(hear([65_534], [0], [65_535], [1])).toBe('65534 65535 0 1'))
  test('restarts after a long gap, and with another source', () => {
    expect(hear([1], [1000], [1001])).toBe('1 1000 1001')
    expect(hear([1000], [5, 2], [6, 2])).toBe('1000 5 6')
  })
})

describe('digits', () => {
  /** Returns the packets of all frames until the digits are sent, each with the number of its frame. */
  function send(digits: string) {
    const sender = new DigitSender()
    sender.add(digits)
    const packets: { payload: Buffer; start: number }[] = []
    let frames = 0
    let start = 0
    while (sender.isSending) {
      if (sender.isAtStart) start = frames * 160
      packets.push(...sender.frame().map(({ payload }) => ({ payload, start })))
      frames += 1
    }
    return { packets, frames }
  }

  test('are sent with three end packets and a pause', () => {
    const { packets, frames } = send('5')
    expect(frames).toBe(9)
    expect(packets.map(({ payload }) => payload.toString('hex'))).toEqual([
      '050a00a0',
      '050a0140',
      '050a01e0',
      '050a0280',
      '050a0320',
      ...['058a03c0', '058a03c0', '058a03c0'],
    ])
  })

  test('are each received once if packets are lost', () => {
    const { packets } = send('11*#D')
    for (let keep = 0; keep < 8; keep += 1) {
      const receiver = new DigitReceiver()
      const heard = packets
        .filter((_, index) => index % 8 === keep || index % 8 === 7)
        .flatMap(({ payload, start }) => receiver.receive(payload, start) ?? [])
      expect(heard.join('')).toBe('11*#D')
    }
  })

  test('that arrive late are not received again', () => {
    const receiver = new DigitReceiver()
    const event = Buffer.from([1, 10, 0, 160])
    expect([1000, 2000, 1000, 2000].map((timestamp) => receiver.receive(event, timestamp))).toEqual([
      '1',
      '1',
      null,
      null,
    ])
    expect(receiver.receive(Buffer.from([1]), 3000)).toBeNull()
    expect(receiver.receive(Buffer.from([99, 0, 0, 0]), 4000)).toBeNull()
  })

  test('beyond the alphabet and the limit are not sent', () => {
    expect(send('x y').packets).toEqual([])
    expect(send('1'.repeat(1000)).packets).toHaveLength(128 * 8)
  })
})

describe('PlayQueue', () => {
  function makeQueue() {
    const played: string[] = []
    const queue = new PlayQueue((passage, milliseconds) => played.push(`${passage} ${milliseconds}`))
    const frames = (count: number) => {
      for (let index = 0; index < count; index += 1) queue.fill(Buffer.alloc(160))
    }
    return { queue, played, frames }
  }

  test('fills frames over the borders of its chunks', () => {
    const { queue } = makeQueue()
    queue.add(Buffer.alloc(100, 1), 'a')
    queue.add(Buffer.alloc(100, 2), 'a')
    const [first, second] = [Buffer.alloc(160), Buffer.alloc(160)]
    queue.fill(first)
    queue.fill(second)
    expect([first[99], first[100], first[159], second[39], second[40]]).toEqual([1, 2, 2, 2, 0])
  })

  test('reports each passage when all of it has been sent', () => {
    const { queue, played, frames } = makeQueue()
    queue.add(Buffer.alloc(320), 'a')
    queue.add(Buffer.alloc(160), 'b')
    frames(5)
    expect(played).toEqual(['a 40', 'b 20'])
    queue.add(Buffer.alloc(160), 'b')
    frames(5)
    expect(played).toEqual(['a 40', 'b 20', 'b 40'])
  })

  test('returns the time that was really sent when it is cleared', () => {
    const { queue, played, frames } = makeQueue()
    queue.add(Buffer.alloc(8000), 'a')
    frames(7)
    expect(queue.clear()).toEqual({ passage: 'a', playedMilliseconds: 140 })
    expect(queue.clear()).toEqual({ passage: null, playedMilliseconds: 0 })
    frames(5)
    queue.add(Buffer.alloc(8000), 'b')
    expect(queue.clear()).toEqual({ passage: 'b', playedMilliseconds: 0 })
    expect(played).toEqual([])
  })

  test('is bounded', () => {
    const { queue, frames } = makeQueue()
    for (let index = 0; index < 100; index += 1) queue.add(Buffer.alloc(100_000), 'a')
    frames(30_000)
    expect(queue.clear().passage).toBeNull()
  })
})

describe('PacingClock', () => {
  /** A clock whose timers fire late by the given times, in turn. */
  function count(lateness: readonly number[], span: number): number {
    const timers = new TestTimers()
    let fired = 0
    const late = {
      monotonic: () => timers.monotonic(),
      after: (milliseconds: number, action: () => void) => {
        fired += 1
        return timers.after(milliseconds + (lateness[fired % lateness.length] ?? 0), action)
      },
    }
    const clock = new PacingClock(late)
    let frames = 0
    const member = {
      frame: () => {
        frames += 1
      },
    }
    clock.add(member)
    timers.advance(span)
    clock.remove(member)
    expect(timers.count).toBe(0)
    return frames
  }

  test('makes 50 frames in a second', () => expect(count([0], 1000)).toBe(50))
  test('does not add delays up', () => expect(count([0, 3, 7, 19], 10_000)).toBeGreaterThanOrEqual(499))
  test('continues after a member that throws', () => {
    const timers = new TestTimers()
    const clock = new PacingClock(timers)
    let frames = 0
    clock.add({
      frame: () => {
        throw new Error('A defect.')
      },
    })
    clock.add({
      frame: () => {
        frames += 1
      },
    })
    timers.advance(100)
    expect(frames).toBe(5)
  })

  test('leaves frames out after a long delay', () =>
    expect(count([500, 0, 0, 0, 0], 10_000)).toBeLessThan(250))
})
