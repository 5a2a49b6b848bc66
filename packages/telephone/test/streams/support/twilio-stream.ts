import { StreamLeg } from '#telephone/streams/stream-leg.js'
import { TwilioProtocol } from '#telephone/streams/twilio-protocol.js'
import { TestTimers } from '../../support/test-timers.js'
import { RecordedCarrier } from './recorded-carrier.js'
import { recordEvents } from './recorded-events.js'
import { ScriptedSocket } from './scripted-socket.js'

export const streamSid = 'MZ00000000000000000000000000000001'
export const callSid = 'CA00000000000000000000000000000001'

export const connected = { event: 'connected', protocol: 'Call', version: '1.0.0' }

export const start = (fields: object = {}) => ({
  event: 'start',
  sequenceNumber: '1',
  streamSid,
  start: {
    streamSid,
    accountSid: 'AC00000000000000000000000000000001',
    callSid,
    tracks: ['inbound'],
    customParameters: { token: 'one-time' },
    mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 },
    ...fields,
  },
})

export const media = (audio: string, fields: object = {}) => ({
  event: 'media',
  sequenceNumber: '2',
  streamSid,
  media: {
    track: 'inbound',
    chunk: '1',
    timestamp: '20',
    payload: Buffer.from(audio, 'latin1').toString('base64'),
    ...fields,
  },
})

export const dtmf = (digit: string) => ({
  event: 'dtmf',
  streamSid,
  dtmf: { track: 'inbound_track', digit },
})
export const mark = (name: string) => ({ event: 'mark', streamSid, mark: { name } })
export const stop = { event: 'stop', streamSid, stop: { accountSid: 'AC1', callSid } }

/** A leg on a socket that nothing was sent on yet. */
export function openTwilioStream() {
  const [socket, timers, carrier, recorded] = [
    new ScriptedSocket(),
    new TestTimers(),
    new RecordedCarrier(),
    recordEvents(),
  ]
  const hangUpFailed = () => undefined
  const leg = new StreamLeg({ socket, protocol: new TwilioProtocol(), carrier, timers, hangUpFailed })
  return { leg, socket, timers, carrier, ...recorded }
}

/** A call that was accepted. */
export function answeredTwilioCall(direction: 'in' | 'out' = 'in') {
  const stream = openTwilioStream()
  stream.socket.deliver(connected)
  stream.socket.deliver(start())
  stream.leg.admit({ direction, from: '+4930111', to: '+4930222' }, stream.listener)
  stream.leg.accept()
  stream.events.length = 0
  return stream
}

/** Returns the names of the marks among sent messages. */
export const marksOf = (messages: readonly Record<string, unknown>[]) =>
  messages.filter(({ event }) => event === 'mark').map((message) => (message.mark as { name: string }).name)
