import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { StreamFailure, StreamLeg } from '#telephone/streams/stream-leg.js'
import { streamHandshakes } from '#telephone/streams/stream-protocols.js'
import { TestTimers } from '../support/test-timers.js'
import { RecordedCarrier } from './support/recorded-carrier.js'
import { recordEvents } from './support/recorded-events.js'
import { type ScriptedCarrier, scriptedCarriers } from './support/scripted-carriers.js'
import { ScriptedSocket } from './support/scripted-socket.js'

const call = { direction: 'in', from: '+4930111', to: '+4930222' } as const

/** Audio whose bytes survive the way through 16-bit samples. */
const audio = (milliseconds: number, first = 0) =>
  Buffer.from(Array.from({ length: milliseconds * 8 }, (_, at) => 0x80 + ((first + at) % 100)))

function open({ kind, url }: ScriptedCarrier) {
  const [socket, timers, carrier, recorded] = [
    new ScriptedSocket(),
    new TestTimers(),
    new RecordedCarrier(),
    recordEvents(),
  ]
  const protocol = streamHandshakes[kind].create(url)
  const leg = new StreamLeg({ socket, protocol, carrier, timers, hangUpFailed: () => undefined })
  return { leg, socket, timers, carrier, ...recorded }
}

function answered(script: ScriptedCarrier) {
  const stream = open(script)
  for (const message of script.start) stream.socket.deliver(message)
  stream.leg.admit(call, stream.listener)
  stream.leg.accept()
  stream.events.length = 0
  stream.socket.sent.length = 0
  return stream
}

const soundsOf = (script: ScriptedCarrier, frames: readonly (string | Buffer)[]) =>
  Buffer.concat(frames.flatMap((frame) => script.readAudio(frame) ?? []))

const marksOf = (script: ScriptedCarrier, frames: readonly (string | Buffer)[]) =>
  frames.flatMap((frame) => script.readMark(frame) ?? [])

const find = (wanted: string) => {
  const script = scriptedCarriers.find(([name]) => name === wanted)?.[1]
  if (!script) throw new Error(`no carrier ${wanted}`)
  return script
}

describe.each(scriptedCarriers)('a stream of %s', (_, script) => {
  test('names its call and its token', async () => {
    const { leg, socket } = open(script)
    for (const message of script.start) socket.deliver(message)
    expect(await leg.started).toEqual({ callId: 'call-1', token: 'onetime' })
  })

  test('is closed if its first messages are about another codec or malformed', async () => {
    for (const message of [script.wrongStart, ...script.malformed.filter((m) => typeof m === 'string')]) {
      const { leg, socket } = open(script)
      socket.deliver(message)
      if (socket.closedWith === null) continue // Audio and digits before the start are ignored.
      await expect(leg.started).rejects.toThrow(StreamFailure)
    }
    const { socket } = open(script)
    socket.deliver(script.wrongStart)
    expect(socket.closedWith).toBe(1002)
  })

  test('passes on audio and digits in order', () => {
    const { leg, socket, listener, events } = open(script)
    const [early, one, two] = [audio(20), audio(20, 1), audio(20, 2)]
    socket.deliver(script.audio(early, 1))
    for (const message of script.start) socket.deliver(message)
    socket.deliver(script.digit('7'))
    leg.admit(call, listener)
    leg.accept()
    for (const message of script.unknown) socket.deliver(message)
    socket.deliver(script.audio(one, 1))
    socket.deliver(script.digit('#'))
    socket.deliver(script.audio(two, 2))
    expect(events).toEqual([
      ['answered'],
      ['audio', one.toString('latin1')],
      ['digit', '#'],
      ['audio', two.toString('latin1')],
    ])
  })

  test('gets every byte once, and reports it as played when the last mark comes back', () => {
    const { leg, socket, events } = answered(script)
    const spoken = audio(1000)
    for (let at = 0; at < spoken.length; at += 777) leg.play(spoken.subarray(at, at + 777), 'item-1')
    expect(soundsOf(script, socket.sent).equals(spoken)).toBe(true)
    for (const name of marksOf(script, socket.sent)) socket.deliver(script.mark(name))
    expect(events).toEqual([['played', 'item-1', 1000]])
  })

  test('is silent after a clear, which returns the heard milliseconds [STREAM-7]', async () => {
    const { leg, socket, events, timers } = answered(script)
    leg.play(audio(1200), 'a')
    const [first = '', ...others] = marksOf(script, socket.sent)
    timers.advance(400)
    socket.deliver(script.mark(first))
    timers.advance(300)
    socket.sent.length = 0
    expect(await leg.clear()).toEqual({ passage: 'a', playedMilliseconds: 700 })
    expect(socket.sent.map(script.isClear)).toEqual([true])
    for (const name of others) socket.deliver(script.mark(name))
    timers.advance(5000)
    expect(events).toEqual([])
    expect(socket.sent).toHaveLength(1)
  })

  test('ends with a malformed message, and hangs up [STREAM-4]', () => {
    for (const message of script.malformed) {
      const { socket, events, carrier } = answered(script)
      socket.deliver(message)
      expect(events).toEqual([['ended', { kind: 'failed', detail: expect.stringMatching(/\.$/) }]])
      expect(carrier.commands).toEqual([['hangUp', 'call-1']])
      expect(socket.closedWith).not.toBe(null)
    }
  })

  test('ends when the carrier stops or closes it', () => {
    const { socket, events, timers } = answered(script)
    if (script.stop) socket.deliver(script.stop)
    socket.disconnect(1000)
    expect(events).toEqual([['ended', { kind: 'hung_up_by_peer' }]])
    expect(timers.count).toBe(0)
  })

  test('survives any frames without an exception, and ends at most once', () => {
    const frame = fc.oneof(
      fc.string().map((text): string | Buffer => text),
      fc.json().map((text): string | Buffer => text),
      fc.uint8Array({ maxLength: 700 }).map((bytes): string | Buffer => Buffer.from(bytes)),
      fc.constantFrom(...script.start, ...script.unknown, ...script.malformed, script.digit('1')),
      fc.nat().map((number) => script.audio(audio(20), number)),
    )
    const run = fc.property(fc.array(frame, { maxLength: 30 }), (frames) => {
      const { leg, socket, listener, events, timers } = open(script)
      for (const message of script.start) socket.deliver(message)
      leg.admit(call, listener)
      leg.accept()
      for (const message of frames) socket.deliver(message)
      socket.disconnect()
      expect(events.filter(([name]) => name === 'ended')).toHaveLength(1)
      expect(events.at(-1)?.[0]).toBe('ended')
      expect(timers.count).toBe(0)
    })
    fc.assert(run, { seed: 45, numRuns: 40 })
  })
})

describe('audio beyond what a carrier keeps', () => {
  test.each([
    ['vonage', 50_000],
    ['asterisk', 15_000],
  ])('waits here for %s, and follows as the carrier plays [STREAM-9]', (name, limit) => {
    const script = find(name)
    const { leg, socket, timers } = answered(script)
    leg.play(audio(60_000), 'long')
    expect(soundsOf(script, socket.sent).length / 8).toBe(limit - (limit % 400))
    timers.advance(2000)
    expect(soundsOf(script, socket.sent).length / 8).toBeLessThanOrEqual(limit + 2000)
    expect(soundsOf(script, socket.sent).length / 8).toBeGreaterThan(limit + 1000)
    // Without any mark, the clock alone lets everything through.
    for (let second = 0; second < 25; second += 1) {
      timers.advance(2000)
      socket.deliver(script.audio(audio(20), 1))
    }
    expect(soundsOf(script, socket.sent).equals(audio(60_000))).toBe(true)
  })

  test('is dropped by a clear', async () => {
    const script = find('asterisk')
    const { leg, socket, timers } = answered(script)
    leg.play(audio(60_000), 'long')
    await leg.clear()
    const { length } = socket.sent
    timers.advance(20_000)
    expect(socket.sent).toHaveLength(length)
  })

  test('waits between XOFF and XON of an Asterisk [STREAM-9]', async () => {
    const script = find('asterisk')
    const { leg, socket } = answered(script)
    socket.deliver('MEDIA_XOFF')
    leg.play(audio(800), 'a')
    expect(socket.sent).toEqual([])
    socket.deliver('MEDIA_XON')
    expect(soundsOf(script, socket.sent).equals(audio(800))).toBe(true)
    socket.deliver('MEDIA_XOFF')
    leg.play(audio(800), 'b')
    await leg.clear()
    socket.deliver('MEDIA_XON')
    expect(soundsOf(script, socket.sent)).toHaveLength(6400)
  })
})

describe('a call of an Asterisk', () => {
  test('is answered and hung up over the socket', () => {
    const script = find('asterisk')
    const { leg, socket, listener } = open(script)
    for (const message of script.start) socket.deliver(message)
    leg.admit(call, listener)
    expect(socket.sent).toEqual([])
    leg.accept()
    leg.hangUp()
    expect(socket.sent).toEqual(['ANSWER', 'HANGUP'])
  })
})

describe('Vonage', () => {
  test('names no outgoing call, so the service does', () => {
    const script = find('vonage')
    const { leg, socket, listener, carrier } = open(script)
    socket.deliver({ event: 'websocket:connected', 'content-type': 'audio/l16;rate=8000', token: 'onetime' })
    leg.admit({ ...call, direction: 'out', callId: 'call-9' }, listener)
    expect(leg.id).toBe('call-9')
    leg.hangUp()
    expect(carrier.commands).toEqual([['hangUp', 'call-9']])
  })
})

describe('a call without an ID', () => {
  test('ends with its socket, and no command is sent for it', async () => {
    const script = find('vonage')
    const { leg, socket, listener, carrier } = open(script)
    socket.deliver({ event: 'websocket:connected', 'content-type': 'audio/l16;rate=8000', token: 'onetime' })
    leg.admit({ ...call, direction: 'out' }, listener)
    leg.accept()
    expect(await leg.transfer('+4930333')).toEqual({ kind: 'refused', status: 409 })
    leg.hangUp()
    await vi.waitFor(() => expect(socket.closedWith).toBe(1000))
    expect(carrier.commands).toEqual([])
  })
})

describe('Telnyx', () => {
  test('may send audio out of order, twice or not at all [STREAM-6]', () => {
    const script = find('telnyx')
    const { socket, events } = answered(script)
    const letters = (...numbers: number[]) => {
      for (const number of numbers) socket.deliver(script.audio(Buffer.from(String(number)), number))
    }
    letters(2, 1, 1, 3, 2)
    // Number 4 is lost. Later pieces wait until three more have arrived.
    letters(5, 6, 7)
    expect(events.map(([, text]) => text).join('')).toBe('123')
    letters(8, 4, 9)
    expect(events.map(([, text]) => text).join('')).toBe('12356789')
  })
})
