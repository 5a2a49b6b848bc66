import { describe, expect, test } from 'vitest'
import { CarrierError } from '#telephone/streams/carrier-api.js'
import { StreamFailure } from '#telephone/streams/stream-leg.js'
import {
  answeredTwilioCall,
  callSid,
  connected,
  dtmf,
  mark,
  marksOf,
  media,
  openTwilioStream,
  start,
  stop,
  streamSid,
} from './support/twilio-stream.js'

const call = { direction: 'in', from: '+4930111', to: '+4930222' } as const
const audio = (milliseconds: number) => Buffer.alloc(milliseconds * 8, 0x55)

describe('the start of a stream', () => {
  test('names the call and the token', async () => {
    const { leg, socket } = openTwilioStream()
    socket.deliver(connected)
    socket.deliver(start())
    expect(await leg.started).toEqual({ callId: callSid, token: 'one-time' })
    expect(leg.id).toBe(callSid)
  })

  test('must arrive in time [STREAM-3]', async () => {
    const { leg, socket, timers } = openTwilioStream()
    socket.deliver(connected)
    timers.advance(10_000)
    await expect(leg.started).rejects.toThrow('The stream sent no start in time.')
    expect(socket.closedWith).toBe(1008)
    expect(timers.count).toBe(0)
  })

  test('must be admitted in time [STREAM-3]', () => {
    const { socket, timers } = openTwilioStream()
    socket.deliver(start())
    timers.advance(9999)
    expect(socket.closedWith).toBeNull()
    timers.advance(1)
    expect(socket.closedWith).toBe(1008)
  })

  test.each([
    ['an unknown codec', { mediaFormat: { encoding: 'audio/x-l16', sampleRate: 8000, channels: 1 } }],
    ['another rate', { mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 16_000, channels: 1 } }],
    ['two channels', { mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 2 } }],
    ['no format', { mediaFormat: undefined }],
    ['no call', { callSid: '' }],
    ['no stream', { streamSid: 7 }],
  ])('is rejected with %s', async (_, fields) => {
    const { leg, socket } = openTwilioStream()
    socket.deliver(start(fields))
    await expect(leg.started).rejects.toThrow(StreamFailure)
    expect(socket.closedWith).toBe(1002)
  })

  test('without parameters has no token', async () => {
    const { leg, socket } = openTwilioStream()
    socket.deliver(start({ customParameters: {} }))
    expect(await leg.started).toEqual({ callId: callSid, token: null })
  })

  test('is ignored the second time', async () => {
    const { leg, socket, events } = answeredTwilioCall()
    socket.deliver(start({ callSid: 'CAother', streamSid: 'MZother' }))
    expect(leg.id).toBe(callSid)
    expect(events).toEqual([])
    leg.play(audio(20))
    expect(socket.take()[0]).toMatchObject({ streamSid })
  })

  test('has no effect on the call before the service admits the stream [STREAM-2]', () => {
    const { leg, socket, carrier } = openTwilioStream()
    socket.deliver(start())
    leg.accept()
    leg.play(audio(20))
    leg.digits('1')
    leg.refuse()
    expect(carrier.commands).toEqual([])
    expect(socket.sent).toEqual([])
    expect(socket.closedWith).toBe(1008)
  })

  test('that was refused cannot be admitted', () => {
    const { leg, socket, listener, events } = openTwilioStream()
    socket.deliver(start())
    leg.refuse()
    leg.admit(call, listener)
    expect(events).toEqual([['ended', { kind: 'hung_up_by_peer' }]])
  })

  test('of a replayed handshake can be refused without harm to the call [STREAM-2]', async () => {
    const first = answeredTwilioCall()
    const replayed = openTwilioStream()
    replayed.socket.deliver(connected)
    replayed.socket.deliver(start())
    expect(await replayed.leg.started).toEqual(await first.leg.started)
    replayed.leg.refuse()
    replayed.socket.deliver(media('stolen'))
    first.socket.deliver(media('real'))
    expect(first.events).toEqual([['audio', 'real']])
    expect([first.carrier.commands, replayed.carrier.commands]).toEqual([[], []])
  })

  test('is rejected if the socket closes before', async () => {
    const { leg, socket } = openTwilioStream()
    socket.disconnect()
    await expect(leg.started).rejects.toThrow('closed before')
  })
})

describe('a call over Twilio', () => {
  test('passes audio and digits after it was accepted, and ends with `stop`', () => {
    const { leg, socket, listener, events, timers } = openTwilioStream()
    socket.deliver(connected)
    socket.deliver(start())
    leg.admit(call, listener)
    socket.deliver(media('early'))
    leg.accept()
    socket.deliver(media('one'))
    socket.deliver(media('two'))
    socket.deliver(media('ours', { track: 'outbound' }))
    socket.deliver(dtmf('#'))
    socket.deliver({ event: 'news', streamSid, news: 1 })
    socket.deliver(stop)
    socket.deliver(media('late'))
    socket.disconnect(1000)
    expect(events).toEqual([
      ['answered'],
      ['audio', 'one'],
      ['audio', 'two'],
      ['digit', '#'],
      ['ended', { kind: 'hung_up_by_peer' }],
    ])
    expect(timers.count).toBe(0)
  })

  test('sends every byte unchanged, with a mark after each piece [STREAM-6]', () => {
    const { leg, socket } = answeredTwilioCall()
    const spoken = Buffer.from(Array.from({ length: 10_000 }, (_, at) => at % 256))
    leg.play(spoken, 'item-1')
    const messages = socket.take()
    const payloads = messages.flatMap((message) =>
      message.event === 'media' ? [(message.media as { payload: string }).payload] : [],
    )
    expect(Buffer.concat(payloads.map((payload) => Buffer.from(payload, 'base64'))).equals(spoken)).toBe(true)
    expect(messages.map(({ event }) => event)).toEqual(payloads.flatMap(() => ['media', 'mark']))
    expect(new Set(marksOf(messages)).size).toBe(payloads.length)
  })

  test('reports a passage as played when its last mark came back', () => {
    const { leg, socket, events } = answeredTwilioCall()
    leg.play(audio(900), 'a')
    leg.play(audio(100), 'b')
    const marks = marksOf(socket.take())
    expect(marks).toHaveLength(4)
    for (const name of marks) socket.deliver(mark(name))
    expect(events).toEqual([
      ['played', 'a', 900],
      ['played', 'b', 100],
    ])
  })

  test('accounts for lost, repeated and unknown marks', () => {
    const { leg, socket, events } = answeredTwilioCall()
    leg.play(audio(800), 'a')
    const [first = '', last = ''] = marksOf(socket.take())
    socket.deliver(mark('unknown'))
    socket.deliver(mark(last))
    socket.deliver(mark(first))
    socket.deliver(mark(last))
    expect(events).toEqual([['played', 'a', 800]])
  })

  test('returns the heard milliseconds from `clear`, and ignores the marks of the rest', async () => {
    const { leg, socket, events, timers } = answeredTwilioCall()
    leg.play(audio(1200), 'a')
    const [first = '', ...others] = marksOf(socket.take())
    timers.advance(410)
    socket.deliver(mark(first))
    timers.advance(150)
    expect(await leg.clear()).toEqual({ passage: 'a', playedMilliseconds: 550 })
    expect(socket.take()).toEqual([{ event: 'clear', streamSid }])
    for (const name of others) socket.deliver(mark(name))
    expect(events).toEqual([])
    expect(await leg.clear()).toEqual({ passage: null, playedMilliseconds: 0 })
    leg.play(audio(100), 'b')
    socket.deliver(mark(marksOf(socket.take())[0] ?? ''))
    expect(events).toEqual([['played', 'b', 100]])
  })

  test('never reports more than the next mark allows [STREAM-7]', async () => {
    const { leg, timers } = answeredTwilioCall()
    leg.play(audio(1200), 'a')
    timers.advance(1000)
    expect(await leg.clear()).toEqual({ passage: 'a', playedMilliseconds: 400 })
  })

  test.each([
    ['text that is not JSON', 'hello'],
    ['a list', '[]'],
    ['null', 'null'],
    ['no event', '{}'],
    ['an event that is a number', { event: 7 }],
    ['a binary frame', Buffer.from('audio')],
    ['media of another stream', { ...media('x'), streamSid: 'MZother' }],
    ['media without content', { event: 'media', streamSid }],
    ['a payload that is not base64', media('x', { payload: '!!!' })],
    ['a payload that is a number', media('x', { payload: 12 })],
    ['two digits at once', dtmf('12')],
    ['a mark without a name', { event: 'mark', streamSid, mark: {} }],
    ['a field of the prototype', { event: 'media', streamSid, media: { __proto__: { payload: 'AAAA' } } }],
  ])('ends with %s', (_, message) => {
    const { socket, carrier, events } = answeredTwilioCall()
    socket.deliver(message)
    const detail = expect.stringMatching(/must be|names another|not JSON/)
    expect(events).toEqual([['ended', { kind: 'failed', detail }]])
    expect(socket.closedWith).toBe(1002)
    expect(carrier.commands).toEqual([['hangUp', callSid]])
  })

  test('ends with a frame over 64 KiB [STREAM-4]', () => {
    const { socket, events } = answeredTwilioCall()
    socket.deliver(media('x'.repeat(65_536)))
    expect(events).toEqual([['ended', { kind: 'failed', detail: 'A frame is too large.' }]])
    expect(socket.closedWith).toBe(1009)
  })

  test('ends if the socket reports a frame over its limit', () => {
    const { socket, events } = answeredTwilioCall()
    socket.tooBig()
    socket.disconnect(1009)
    expect(events).toEqual([['ended', { kind: 'failed', detail: 'A frame is too large.' }]])
  })

  test('ends if the carrier is silent for 30 seconds [STREAM-5]', () => {
    const { socket, events, timers, carrier } = answeredTwilioCall()
    timers.advance(29_000)
    socket.deliver(media('x'))
    timers.advance(29_000)
    expect(events).toEqual([['audio', 'x']])
    timers.advance(1000)
    expect(events.at(-1)).toEqual(['ended', { kind: 'audio_lost' }])
    expect(socket.closedWith).toBe(1001)
    expect(carrier.commands).toEqual([['hangUp', callSid]])
    expect(timers.count).toBe(0)
  })

  test('ends if the carrier takes no audio [STREAM-5]', () => {
    const { socket, events, leg } = answeredTwilioCall()
    for (let minute = 0; minute < 16; minute += 1) leg.play(audio(60_000))
    expect(events).toEqual([['ended', { kind: 'failed', detail: 'The carrier does not take the audio.' }]])
    expect(socket.closedWith).toBe(1000)
  })

  test('tells a lost connection from an orderly one', () => {
    for (const [code, kind] of [
      [1006, 'audio_lost'],
      [1000, 'hung_up_by_peer'],
      [1001, 'hung_up_by_peer'],
      [1005, 'hung_up_by_peer'],
    ] as const) {
      const { socket, events } = answeredTwilioCall()
      socket.disconnect(code)
      expect(events).toEqual([['ended', { kind }]])
    }
  })

  test('hangs up over the API and closes the socket, even if the API fails', async () => {
    for (const failure of [null, new Error('down')]) {
      const { leg, socket, carrier, events } = answeredTwilioCall()
      carrier.failure = failure
      leg.hangUp()
      leg.hangUp()
      await expect.poll(() => socket.closedWith).toBe(1000)
      expect(carrier.commands).toEqual([['hangUp', callSid]])
      expect(events).toEqual([['ended', { kind: 'hung_up' }]])
    }
  })

  test('is rejected or cancelled before it was accepted', async () => {
    for (const [end, reason] of [
      ['reject', { kind: 'rejected', status: 486 }],
      ['hangUp', { kind: 'cancelled' }],
    ] as const) {
      const { leg, socket, carrier, listener, events } = openTwilioStream()
      socket.deliver(start())
      leg.admit(call, listener)
      leg[end]()
      await expect.poll(() => socket.closedWith).toBe(1000)
      expect(carrier.commands).toEqual([['hangUp', callSid]])
      expect(events).toEqual([['ended', reason]])
    }
  })

  test('reports nothing after its end, even if the listener ends it', () => {
    const { leg, socket, listener, events } = openTwilioStream()
    socket.deliver(start())
    leg.admit(call, { ...listener, played: () => leg.hangUp() })
    leg.accept()
    leg.play(audio(20), 'a')
    leg.play(audio(20), 'b')
    socket.deliver(mark(marksOf(socket.take()).at(-1) ?? ''))
    expect(events).toEqual([['answered'], ['ended', { kind: 'hung_up' }]])
  })

  test('is transferred with our number only if we called', async () => {
    const incoming = answeredTwilioCall('in')
    expect(await incoming.leg.transfer('+4930999')).toEqual({ kind: 'accepted' })
    expect(incoming.carrier.commands).toEqual([
      ['transfer', callSid, { to: '+4930999', from: null, ownNumber: '+4930222' }],
    ])
    expect(incoming.events).toEqual([['ended', { kind: 'transferred' }]])
    const outgoing = answeredTwilioCall('out')
    await outgoing.leg.transfer('+4930999')
    expect(outgoing.carrier.commands).toEqual([
      ['transfer', callSid, { to: '+4930999', from: '+4930111', ownNumber: '+4930111' }],
    ])
  })

  test('goes on if a transfer is refused', async () => {
    const { leg, carrier, socket, events } = answeredTwilioCall()
    carrier.failure = new CarrierError('no', { code: 'rejected', status: 400 })
    expect(await leg.transfer('+4930999')).toEqual({ kind: 'refused', status: 400 })
    socket.deliver(media('still here'))
    expect(events).toEqual([['audio', 'still here']])
  })

  test('sends digits as tones', () => {
    const { leg, socket } = answeredTwilioCall()
    leg.digits('1#')
    leg.digits('x')
    expect(socket.take().filter(({ event }) => event === 'media').length).toBe(1)
  })

  test('drops the audio of a held caller', () => {
    const { leg, socket, events } = answeredTwilioCall()
    leg.hold(true)
    socket.deliver(media('held'))
    leg.hold(false)
    socket.deliver(media('back'))
    expect(events).toEqual([['audio', 'back']])
  })

  test('ignores commands after its end', async () => {
    const { leg, socket, carrier, events } = answeredTwilioCall()
    socket.deliver(stop)
    leg.accept()
    leg.play(audio(20))
    leg.digits('1')
    leg.hangUp()
    expect(await leg.clear()).toEqual({ passage: null, playedMilliseconds: 0 })
    expect(await leg.transfer('+49')).toMatchObject({ kind: 'refused' })
    expect([carrier.commands, socket.sent]).toEqual([[], []])
    expect(events).toEqual([['ended', { kind: 'hung_up_by_peer' }]])
  })
})
