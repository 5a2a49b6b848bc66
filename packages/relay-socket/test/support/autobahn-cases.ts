import type { Peer } from './outcome.js'
import { opcodes, type RawFrame } from './raw-frame.js'

/** One case of the Autobahn test suite, with its number in the suite. */
export interface AutobahnCase {
  readonly id: string
  readonly title: string
  readonly frames: readonly RawFrame[]
  /** The received messages. */
  readonly messages?: readonly string[]
  /**
   * The payloads of the pongs. If several pings arrive at once, only the first and the last are answered
   * (RT-32).
   */
  readonly pongs?: readonly string[]
  /** The close code that the socket sends; undefined if the peer disconnects without a close frame. */
  readonly close?: number
  /** The only peer that the case applies to. Text from providers is not validated. */
  readonly peer?: Peer
}

const text = (payload: string | Buffer, more: Partial<RawFrame> = {}): RawFrame => ({
  opcode: opcodes.text,
  payload,
  ...more,
})
const binary = (payload: string | Buffer): RawFrame => ({ opcode: opcodes.binary, payload })
const ping = (payload: string | Buffer = ''): RawFrame => ({ opcode: opcodes.ping, payload })
const pong = (payload: string | Buffer = ''): RawFrame => ({ opcode: opcodes.pong, payload })
const first = (payload: string | Buffer): RawFrame => text(payload, { isLast: false })
const next = (payload: string | Buffer, isLast = false): RawFrame => ({
  opcode: opcodes.continuation,
  payload,
  isLast,
})
const last = (payload: string | Buffer): RawFrame => next(payload, true)

function close(code: number | null, reason: string | Buffer = ''): RawFrame {
  const payload = Buffer.concat([Buffer.alloc(code === null ? 0 : 2), Buffer.from(reason)])
  if (code !== null) payload.writeUInt16BE(code)
  return { opcode: opcodes.close, payload }
}

const bytes = (hex: string) => Buffer.from(hex, 'hex')
const raw = (value: string | Buffer) => Buffer.from(value).toString('latin1')
const violation = 1002

const sizes = [0, 125, 126, 127, 128, 65_535, 65_536]

const framing: AutobahnCase[] = [
  ...sizes.map((size, at) => ({
    id: `1.1.${at + 1}`,
    title: `text of ${size} bytes`,
    frames: [text('*'.repeat(size))],
    messages: [`text ${'*'.repeat(size)}`],
  })),
  ...sizes.map((size, at) => ({
    id: `1.2.${at + 1}`,
    title: `${size} bytes`,
    frames: [binary(Buffer.alloc(size, 0xfe))],
    messages: [`binary ${raw(Buffer.alloc(size, 0xfe))}`],
  })),
]

const full = Buffer.alloc(125, 0xfe)
const pings: AutobahnCase[] = [
  { id: '2.1', title: 'a ping', frames: [ping()], pongs: [''] },
  { id: '2.2', title: 'a ping with text', frames: [ping('Hello')], pongs: ['Hello'] },
  {
    id: '2.3',
    title: 'a ping with bytes',
    frames: [ping(bytes('00fffefdfcfb00ff'))],
    pongs: [raw(bytes('00fffefdfcfb00ff'))],
  },
  { id: '2.4', title: 'a ping of 125 bytes', frames: [ping(full)], pongs: [raw(full)] },
  { id: '2.5', title: 'a ping of 126 bytes', frames: [ping(Buffer.alloc(126))], close: violation },
  { id: '2.7', title: 'an unsolicited pong', frames: [pong()] },
  { id: '2.8', title: 'an unsolicited pong with text', frames: [pong('unsolicited')] },
  {
    id: '2.9',
    title: 'an unsolicited pong before a ping',
    frames: [pong('unsolicited'), ping('ping')],
    pongs: ['ping'],
  },
]

const reserved: AutobahnCase[] = [1, 2, 3, 4, 5, 6, 7].map((bits) => ({
  id: `3.${bits}`,
  title: `reserved bits ${bits} after a message`,
  frames: [text('Hello'), text('Hello', { reserved: bits }), ping()],
  messages: ['text Hello'],
  close: violation,
}))

const unknown: AutobahnCase[] = [3, 4, 5, 6, 7, 11, 12, 13, 14, 15].map((opcode, at) => ({
  id: opcode < 8 ? `4.1.${at + 1}` : `4.2.${at - 4}`,
  title: `opcode ${opcode} after a message`,
  frames: [text('Hello'), { opcode, payload: 'x' }, ping()],
  messages: ['text Hello'],
  close: violation,
}))

const fragments: AutobahnCase[] = [
  {
    id: '5.1',
    title: 'a fragmented ping',
    frames: [{ ...ping('a'), isLast: false }, last('b')],
    close: violation,
  },
  {
    id: '5.2',
    title: 'a fragmented pong',
    frames: [{ ...pong('a'), isLast: false }, last('b')],
    close: violation,
  },
  { id: '5.3', title: 'text in two fragments', frames: [first('ab'), last('cd')], messages: ['text abcd'] },
  {
    id: '5.6',
    title: 'a ping between two fragments',
    frames: [first('ab'), ping('p'), last('cd')],
    messages: ['text abcd'],
    pongs: ['p'],
  },
  {
    id: '5.9',
    title: 'a last fragment without a first one',
    frames: [last('x'), text('Hello')],
    close: violation,
  },
  {
    id: '5.10',
    title: 'a middle fragment without a first one',
    frames: [next('x'), text('Hello')],
    close: violation,
  },
  {
    id: '5.15',
    title: 'a fragment without a first one after a message',
    frames: [first('ab'), last('cd'), next('x'), text('Hello')],
    messages: ['text abcd'],
    close: violation,
  },
  { id: '5.18', title: 'a message within a message', frames: [first('ab'), text('cd')], close: violation },
  {
    id: '5.19',
    title: 'five fragments with pings between them',
    frames: [first('1'), next('2'), ping('a'), next('3'), next('4'), ping('b'), last('5')],
    messages: ['text 12345'],
    pongs: ['a', 'b'],
  },
  {
    id: '5.21',
    title: 'messages before and after a fragmented message',
    frames: [text('a'), first(''), next(''), last(''), binary('b')],
    messages: ['text a', 'text ', 'binary b'],
  },
]

const greek = bytes('cebae1bdb9cf83cebcceb5')
const validTexts = [
  '24',
  'c2a2',
  'e282ac',
  'f0a4ada2',
  'ed9fbf',
  'ee8080',
  'efbfbd',
  'efbfbf',
  'f48fbfbf',
  '00',
  '7f',
]
const invalidTexts = [
  ...[
    '80',
    'bf',
    'c0af',
    'c3',
    'e282',
    'f0a4ad',
    'eda080',
    'edbfbf',
    'f4908080',
    'f888808080',
    'fe',
    'ff',
    'e080af',
  ],
  'cebae1bdb9cf83cebcceb5eda080656469746564',
]

const unicode: AutobahnCase[] = [
  { id: '6.1.1', title: 'empty text', frames: [text('')], messages: ['text '] },
  {
    id: '6.1.2',
    title: 'empty text in three fragments',
    frames: [first(''), next(''), last('')],
    messages: ['text '],
  },
  {
    id: '6.2.1',
    title: 'text with characters outside ASCII',
    frames: [text(greek)],
    messages: [`text ${raw(greek)}`],
  },
  {
    id: '6.2.3',
    title: 'characters that are split between fragments',
    frames: [first(greek.subarray(0, 3)), next(greek.subarray(3, 8)), last(greek.subarray(8))],
    messages: [`text ${raw(greek)}`],
  },
  ...validTexts.map((hex, at) => ({
    id: `6.5-6.11, ${at + 1}`,
    title: `${hex}, which is UTF-8`,
    frames: [text(bytes(hex))],
    messages: [`text ${raw(bytes(hex))}`],
  })),
  ...invalidTexts.flatMap((hex, at): AutobahnCase[] => [
    {
      id: `6.3, 6.12-6.23, ${at + 1}`,
      title: `${hex}, which is not UTF-8`,
      frames: [text(bytes(hex)), text('behind it')],
      close: 1007,
      peer: 'client',
    },
    {
      id: `6.4, ${at + 1}`,
      title: `${hex} in the second fragment`,
      frames: [first('ab'), last(bytes(hex)), text('behind it')],
      close: 1007,
      peer: 'client',
    },
    {
      id: `6.3 of a provider, ${at + 1}`,
      title: `${hex}, which gets replacement characters`,
      frames: [text(bytes(hex))],
      messages: [`text ${raw(Buffer.from(bytes(hex).toString('utf8')))}`],
      peer: 'server',
    },
  ]),
]

const goodCodes = [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999]
const badCodes = [0, 999, 1004, 1005, 1006, 1016, 1100, 2000, 2999, 5000, 65_535]

const closes: AutobahnCase[] = [
  {
    id: '7.1.1',
    title: 'a message, then a close',
    frames: [text('a'), close(1000)],
    messages: ['text a'],
    close: 1000,
  },
  { id: '7.1.2', title: 'two closes', frames: [close(1000), close(1001)], close: 1000 },
  { id: '7.1.3', title: 'a ping after the close', frames: [close(1000), ping('late')], close: 1000 },
  { id: '7.1.4', title: 'text after the close', frames: [close(1000), text('late')], close: 1000 },
  {
    id: '7.1.5',
    title: 'a close between the fragments of a message',
    frames: [first('a'), close(1000), last('b')],
    close: 1000,
  },
  { id: '7.3.1', title: 'a close without a code', frames: [close(null)], close: 1005 },
  {
    id: '7.3.2',
    title: 'a close code of one byte',
    frames: [{ opcode: opcodes.close, payload: 'a' }],
    close: violation,
  },
  { id: '7.3.4', title: 'a close reason', frames: [close(1000, 'Hello')], close: 1000 },
  { id: '7.3.5', title: 'a close reason of 123 bytes', frames: [close(1000, '*'.repeat(123))], close: 1000 },
  {
    id: '7.3.6',
    title: 'a close reason of 124 bytes',
    frames: [close(1000, '*'.repeat(124))],
    close: violation,
  },
  {
    id: '7.5.1',
    title: 'a close reason that is not UTF-8',
    frames: [close(1000, bytes('eda080'))],
    close: 1007,
    peer: 'client',
  },
  ...goodCodes.map((code) => ({ id: '7.7', title: `code ${code}`, frames: [close(code)], close: code })),
  ...badCodes.map((code) => ({
    id: '7.9, 7.13',
    title: `code ${code}`,
    frames: [close(code)],
    close: violation,
  })),
]

const limit = 65_536
const limits: AutobahnCase[] = [
  { id: '9.1', title: 'text above the limit', frames: [text('*'.repeat(limit + 1)), text('a')], close: 1009 },
  {
    id: '9.2',
    title: 'bytes above the limit',
    frames: [binary(Buffer.alloc(limit + 1)), text('a')],
    close: 1009,
  },
  {
    id: '9.2',
    title: 'a length of 2^63',
    frames: [{ opcode: 2, claimedBytes: 2 ** 63, lengthBytes: 8 }],
    close: 1009,
  },
  {
    id: '9.3',
    title: 'fragments whose total is the limit',
    frames: [first('*'.repeat(limit / 2)), last('*'.repeat(limit / 2))],
    messages: [`text ${'*'.repeat(limit)}`],
  },
  {
    id: '9.4',
    title: 'fragments whose total exceeds the limit',
    frames: [first('*'.repeat(limit / 2)), next('*'.repeat(limit / 2)), next('*'), last(''), text('a')],
    close: 1009,
  },
  {
    id: '10.1.1',
    title: 'a message in fragments of 1300 bytes',
    frames: [
      first('*'.repeat(1300)),
      ...Array.from({ length: 20 }, () => next('*'.repeat(1300))),
      last('end'),
    ],
    messages: [`text ${'*'.repeat(1300 * 21)}end`],
  },
]

/** Groups 1 to 7, 9 and 10. Groups 12 and 13 test compression, which the relay never negotiates. */
export const autobahnCases = [framing, pings, reserved, unknown, fragments, unicode, closes, limits].flat()
