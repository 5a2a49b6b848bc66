import { decodeMuLaw, encodeMuLaw } from '#telephone/g711.js'
import type { CarrierKind } from '#telephone/streams/stream-protocols.js'

type Frame = string | Buffer

/** The call of a stream, and its token. */
export interface StreamedCall {
  readonly callId: string
  readonly token: string
}

/** The far end of a media socket: what a carrier sends, and how it reads our frames. */
export interface ScriptedCarrier {
  readonly kind: CarrierKind
  /** The handshake's URL. */
  readonly url: string
  /** Messages up to the start, with the token `onetime` and the call `call-1`. */
  readonly start: readonly Frame[]
  /** Messages up to the start of another call. */
  readonly startOf: (call: StreamedCall) => readonly Frame[]
  /** A start that names another codec. */
  readonly wrongStart: Frame
  readonly digit: (digit: string) => Frame
  readonly mark: (name: string) => Frame
  /** 20 ms of audio. `number` counts from 1. */
  readonly audio: (audio: Buffer, number: number) => Frame
  readonly stop: Frame | null
  /** A message that breaks the protocol. */
  readonly malformed: readonly Frame[]
  /** Messages that a newer version might send. */
  readonly unknown: readonly Frame[]
  /** Our audio in a frame, as mu-law, or null. */
  readonly readAudio: (frame: Frame) => Buffer | null
  readonly readMark: (frame: Frame) => string | null
  readonly isClear: (frame: Frame) => boolean
}

const url = 'wss://example.com/phone/media'
const json = (value: object) => JSON.stringify(value)
const base64 = (audio: Buffer) => audio.toString('base64')
const parse = (frame: Frame) => (typeof frame === 'string' ? JSON.parse(frame) : {})
const testCall: StreamedCall = { callId: 'call-1', token: 'onetime' }
const soundOf = (payload: unknown) => (typeof payload === 'string' ? Buffer.from(payload, 'base64') : null)

const twilioStart = (encoding: string, { callId, token } = testCall) =>
  json({
    event: 'start',
    streamSid: 'MZ1',
    start: {
      streamSid: 'MZ1',
      callSid: callId,
      customParameters: { token },
      mediaFormat: { encoding, sampleRate: 8000, channels: 1 },
    },
  })

const twilio: ScriptedCarrier = {
  kind: 'twilio',
  url,
  start: [json({ event: 'connected', protocol: 'Call', version: '1.0.0' }), twilioStart('audio/x-mulaw')],
  startOf: (call) => [
    json({ event: 'connected', protocol: 'Call', version: '1.0.0' }),
    twilioStart('audio/x-mulaw', call),
  ],
  wrongStart: twilioStart('audio/x-l16'),
  digit: (digit) => json({ event: 'dtmf', streamSid: 'MZ1', dtmf: { digit } }),
  mark: (name) => json({ event: 'mark', streamSid: 'MZ1', mark: { name } }),
  audio: (audio) => json({ event: 'media', streamSid: 'MZ1', media: { payload: base64(audio) } }),
  stop: json({ event: 'stop', streamSid: 'MZ1' }),
  malformed: ['{', Buffer.from('x'), json({ event: 'media', streamSid: 'MZ1', media: { payload: '?' } })],
  unknown: [json({ event: 'news', streamSid: 'MZ1' })],
  readAudio: (frame) => (parse(frame).event === 'media' ? soundOf(parse(frame).media.payload) : null),
  readMark: (frame) => (parse(frame).event === 'mark' ? parse(frame).mark.name : null),
  isClear: (frame) => parse(frame).event === 'clear',
}

const telnyxStart = (encoding: string, { callId, token } = testCall) =>
  json({
    event: 'start',
    sequence_number: '1',
    stream_id: 'stream-1',
    start: {
      call_control_id: callId,
      client_state: base64(Buffer.from(token)),
      media_format: { encoding, sample_rate: 8000, channels: 1 },
    },
  })

const telnyx: ScriptedCarrier = {
  kind: 'telnyx',
  url,
  start: [json({ event: 'connected', version: '1.0.0' }), telnyxStart('PCMU')],
  startOf: (call) => [json({ event: 'connected', version: '1.0.0' }), telnyxStart('PCMU', call)],
  wrongStart: telnyxStart('G722'),
  digit: (digit) => json({ event: 'dtmf', stream_id: 'stream-1', dtmf: { digit } }),
  mark: (name) => json({ event: 'mark', stream_id: 'stream-1', mark: { name } }),
  audio: (audio, number) =>
    json({ event: 'media', media: { track: 'inbound', chunk: String(number), payload: base64(audio) } }),
  stop: json({ event: 'stop', stream_id: 'stream-1' }),
  malformed: [
    '[]',
    Buffer.from('x'),
    json({ event: 'media', media: { chunk: 'first', payload: 'AAAA' } }),
    json({ event: 'error', payload: { code: 100_003, title: 'malformed_frame' } }),
  ],
  unknown: [json({ event: 'news' })],
  readAudio: (frame) => (parse(frame).event === 'media' ? soundOf(parse(frame).media.payload) : null),
  readMark: (frame) => (parse(frame).event === 'mark' ? parse(frame).mark.name : null),
  isClear: (frame) => parse(frame).event === 'clear',
}

const plivoStart = (encoding: string, { callId, token } = testCall) =>
  json({
    event: 'start',
    sequenceNumber: 1,
    start: {
      callId,
      streamId: 'stream-1',
      accountId: 'MA1',
      tracks: ['inbound'],
      mediaFormat: { encoding, sampleRate: 8000 },
    },
    extra_headers: `user=1;token=${token}`,
  })

const plivo: ScriptedCarrier = {
  kind: 'plivo',
  url,
  start: [plivoStart('audio/x-mulaw')],
  startOf: (call) => [plivoStart('audio/x-mulaw', call)],
  wrongStart: plivoStart('audio/x-l16'),
  digit: (digit) => json({ event: 'dtmf', streamId: 'stream-1', dtmf: { track: 'inbound', digit } }),
  mark: (name) => json({ event: 'playedStream', streamId: 'stream-1', name }),
  audio: (audio) =>
    json({ event: 'media', streamId: 'stream-1', media: { track: 'inbound', payload: base64(audio) } }),
  stop: null,
  malformed: [
    'no',
    Buffer.from('x'),
    json({ event: 'playedStream' }),
    json({ event: 'dtmf', dtmf: { digit: 'x' } }),
  ],
  unknown: [json({ event: 'clearedAudio', streamId: 'stream-1' })],
  readAudio: (frame) => (parse(frame).event === 'playAudio' ? soundOf(parse(frame).media.payload) : null),
  readMark: (frame) => (parse(frame).event === 'checkpoint' ? parse(frame).name : null),
  isClear: (frame) => parse(frame).event === 'clearAudio',
}

const vonageStart = (rate: number, { callId, token } = testCall) =>
  json({
    event: 'websocket:connected',
    'content-type': `audio/l16;rate=${rate}`,
    token,
    // Outgoing calls have no ID here.
    ...(callId !== '' && { callId }),
  })

function expand(audio: Buffer): Buffer {
  const samples = Buffer.alloc(audio.length * 2)
  for (const [at, code] of audio.entries()) samples.writeInt16LE(decodeMuLaw(code), at * 2)
  return samples
}

function compress(samples: Buffer): Buffer {
  const codes = Array.from({ length: samples.length / 2 }, (_, at) =>
    encodeMuLaw(samples.readInt16LE(at * 2)),
  )
  return Buffer.from(codes)
}

const vonage: ScriptedCarrier = {
  kind: 'vonage',
  url,
  start: [vonageStart(8000)],
  startOf: (call) => [vonageStart(8000, call)],
  wrongStart: vonageStart(16_000),
  digit: (digit) => json({ event: 'websocket:dtmf', digit, duration: 260 }),
  mark: (name) => json({ event: 'websocket:notify', payload: { mark: name } }),
  audio: (audio) => expand(audio),
  stop: null,
  malformed: ['no', Buffer.alloc(321), json({ event: 'websocket:dtmf' })],
  unknown: [json({ event: 'websocket:cleared' }), json({ other: 1 }), json({ event: 'websocket:notify' })],
  readAudio: (frame) => (typeof frame === 'string' ? null : compress(frame)),
  readMark: (frame) => (parse(frame).action === 'notify' ? parse(frame).payload.mark : null),
  isClear: (frame) => parse(frame).action === 'clear',
}

const asteriskStart = (id: string) =>
  `MEDIA_START connection_id:m1 channel:WebSocket/m1/0x1 channel_id:${id} format:ulaw optimal_frame_size:160 ptime:20`

const asterisk: ScriptedCarrier = {
  kind: 'asterisk',
  url: `${url}?token=onetime`,
  start: [asteriskStart('call-1')],
  startOf: ({ callId }) => [asteriskStart(callId)],
  wrongStart: 'MEDIA_START connection_id:m1 channel:c channel_id:call-1 format:alaw optimal_frame_size:160',
  digit: (digit) => `DTMF_END digit:${digit} channel_id:call-1`,
  mark: (name) => `MEDIA_MARK_PROCESSED ${name}`,
  audio: (audio) => audio,
  stop: null,
  malformed: ['', 'hello there', 'DTMF_END', '{"event":7}'],
  unknown: [
    'QUEUE_DRAINED',
    'STATUS channel_id:call-1 queue_length:43',
    'ERROR channel_id:call-1 error_text:no such',
  ],
  readAudio: (frame) => (typeof frame === 'string' ? null : frame),
  readMark: (frame) => (typeof frame === 'string' ? (/^MARK_MEDIA (\S+)$/.exec(frame)?.[1] ?? null) : null),
  isClear: (frame) => frame === 'FLUSH_MEDIA',
}

const asteriskJson: ScriptedCarrier = {
  ...asterisk,
  start: [
    json({ event: 'MEDIA_START', channel_id: 'call-1', format: 'ulaw', optimal_frame_size: 160, ptime: 20 }),
  ],
  wrongStart: json({ event: 'MEDIA_START', channel_id: 'call-1', format: 'slin' }),
  digit: (digit) => json({ event: 'DTMF_END', channel_id: 'call-1', digit }),
  mark: (name) => json({ event: 'MEDIA_MARK_PROCESSED', channel_id: 'call-1', correlation_id: name }),
  malformed: ['{', '{}'],
  unknown: [json({ event: 'QUEUE_DRAINED', channel_id: 'call-1' })],
  readMark: (frame) => (parse(frame).command === 'MARK_MEDIA' ? parse(frame).correlation_id : null),
  isClear: (frame) => parse(frame).command === 'FLUSH_MEDIA',
}

export const scriptedCarriers: readonly (readonly [string, ScriptedCarrier])[] = [
  ['twilio', twilio],
  ['telnyx', telnyx],
  ['plivo', plivo],
  ['vonage', vonage],
  ['asterisk', asterisk],
  ['asterisk with JSON', asteriskJson],
]
