import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isAudioAppend } from '#server/domain/realtime/protocol/audio-frames.js'

const append = '{"type":"input_audio_buffer.append","audio":"AAAA"}'

type Row = readonly [what: string, frame: string | Buffer]

const accepted: readonly Row[] = [
  ['the usual form', append],
  ['an event id', '{"event_id":"e_1","type":"input_audio_buffer.append","audio":"AA=="}'],
  ['the audio before the type', '{"audio":"AAAA","type":"input_audio_buffer.append"}'],
  ['the event id as the last field', '{"audio":"AAAA","type":"input_audio_buffer.append","event_id":""}'],
  ['spaces between tokens', '{ "type" : "input_audio_buffer.append" ,  "audio": "AAAA" }  '],
  ['empty audio', '{"type":"input_audio_buffer.append","audio":""}'],
  [
    'letters of other scripts in the event id',
    '{"type":"input_audio_buffer.append","audio":"AAAA","event_id":"é漢😀"}',
  ],
]

/**
 * All of these frames are parsed completely: some are appends in a rare spelling, some are other events,
 * some are invalid.
 */
const otherFrames: readonly Row[] = [
  ['an empty frame', ''],
  ['only an opening brace', '{'],
  ['an empty object', '{}'],
  ['a leading space', ` ${append}`],
  ['a byte order mark', `\ufeff${append}`],
  ['line breaks', append.replace(',', ',\n')],
  ['a tab', append.replace(':', ':\t')],
  ['no audio', '{"type":"input_audio_buffer.append"}'],
  ['no type', '{"audio":"AAAA"}'],
  ['only an event id', '{"event_id":"e"}'],
  ['another type', '{"type":"session.update","audio":"AAAA"}'],
  ['a type that starts like the append type', '{"type":"input_audio_buffer.appended","audio":"AAAA"}'],
  ['a type in capitals', '{"type":"INPUT_AUDIO_BUFFER.APPEND","audio":"AAAA"}'],
  ['an empty type', '{"type":"","audio":"AAAA"}'],
  [
    'a second type after the first',
    `{"type":"input_audio_buffer.append","audio":"AAAA","type":"session.update"}`,
  ],
  [
    'a second type before the first',
    `{"type":"session.update","type":"input_audio_buffer.append","audio":"AAAA"}`,
  ],
  ['the same type twice', append.replace('}', ',"type":"input_audio_buffer.append"}')],
  ['a second audio', append.replace('}', ',"audio":"BBBB"}')],
  ['a second event id', append.replace('}', ',"event_id":"a","event_id":"b"}')],
  ['an additional key Type', append.replace('}', ',"Type":"session.update"}')],
  ['another field', append.replace('}', ',"session":{}}')],
  ['an empty key', append.replace('}', ',"":""}')],
  ['an unknown short key', append.replace('}', ',"typ":"e"}')],
  ['an escaped key', append.replace('}', ',"\\u0074ype":"session.update"}')],
  ['an escape in the audio', append.replace('AAAA', 'AA\\/A')],
  ['an escaped quote in the audio', append.replace('AAAA', 'AA\\",\\"type\\":\\"session.update')],
  ['a quote in the audio', append.replace('AAAA', 'AA"AA')],
  ['a raw line break in the audio', append.replace('AAAA', 'AA\nAA')],
  ['NUL in the audio', append.replace('AAAA', 'AA\0AA')],
  ['a control character in the event id', append.replace('}', ',"event_id":"\u001f"}')],
  ['audio that is a number', append.replace('"AAAA"', '1')],
  ['audio that is null', append.replace('"AAAA"', 'null')],
  ['audio that is a list', append.replace('"AAAA"', '["AAAA"]')],
  ['an event id that is a number', append.replace('}', ',"event_id":1}')],
  ['a trailing comma', append.replace('}', ',}')],
  ['a leading comma', append.replace('{', '{,')],
  ['a missing comma', append.replace(',', ' ')],
  ['two colons', append.replace(':', '::')],
  ['a comment', append.replace(',', ',/**/')],
  ['single quotes', append.replaceAll('"', "'")],
  ['a missing closing brace', append.slice(0, -1)],
  ['an unterminated string', append.slice(0, -2)],
  ['a second object', `${append}{"type":"session.update"}`],
  ['an extra closing brace', `${append}}`],
  ['text after the object', `${append} x`],
  ['NUL after the object', `${append}\0`],
  ['a list', `[${append}]`],
  ['UTF-16', Buffer.from(append, 'utf16le')],
]

/** Text frames hold valid UTF-8. The layout of the bytes in memory must not matter. */
function frameOf(content: string | Buffer, offset = 0): Buffer {
  return Buffer.concat([Buffer.alloc(offset, 0x20), Buffer.from(content)]).subarray(offset)
}

/** The result of any reader for an accepted frame. */
function expectAppend(frame: Buffer): void {
  const text = frame.toString('utf8')
  const { type, audio, event_id: eventId = '', ...others } = JSON.parse(text) as Record<string, unknown>
  expect({ type, audio: typeof audio, eventId: typeof eventId, others }).toEqual({
    type: 'input_audio_buffer.append',
    audio: 'string',
    eventId: 'string',
    others: {},
  })
  // The parser uses the last of two equal keys. Other readers may use the first, so there must not be two.
  expect(text.split('"').length - 1).toBe('event_id' in JSON.parse(text) ? 12 : 8)
}

const spaces = fc.constantFrom('', '', ' ', '   ')
const base64 = fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes).toString('base64'))
const eventId = fc.string({ unit: 'grapheme' }).filter((id) => !/["\\\p{Cc}]/u.test(id))

const properAppend = fc
  .tuple(base64, fc.option(eventId), fc.nat(5), fc.array(spaces, { minLength: 4, maxLength: 4 }))
  .map(([audio, id, order, [a, b, c, d]]) => {
    const fields = [`"type"${a}:${b}"input_audio_buffer.append"`, `"audio"${b}:${c}"${audio}"`]
    if (id !== null) fields.splice(order % 3, 0, `"event_id"${c}:${d}"${id}"`)
    if (order > 2) fields.reverse()
    return `{${d}${fields.join(`${a},${c}`)}${b}}${d}`
  })

const pieces = [
  '{',
  '}',
  '"',
  '\\',
  ':',
  ',',
  ' ',
  '\n',
  '\t',
  '\0',
  '\u001f',
  '\u007f',
  '\ufeff',
  '/',
  'é',
  '[',
  ']',
  'x',
  '"type"',
  '"audio"',
  '"event_id"',
  '"Type"',
  '"\\u0074ype"',
  '"input_audio_buffer.append"',
  '"session.update"',
  ',"type":"session.update"',
  '"type":"session.update",',
  '\\"',
  '\\u0022',
  'null',
  '1',
  '""',
] as const

/** An append with some pieces inserted, removed or replaced. */
const nearMiss = fc
  .tuple(
    properAppend,
    fc.array(fc.record({ at: fc.nat(200), drop: fc.nat(6), piece: fc.constantFrom('', ...pieces) }), {
      minLength: 1,
      maxLength: 3,
    }),
  )
  .map(([text, edits]) =>
    edits.reduce((edited, { at, drop, piece }) => {
      const place = at % (edited.length + 1)
      return edited.slice(0, place) + piece + edited.slice(place + drop)
    }, text),
  )

const soup = fc.array(fc.constantFrom(...pieces), { maxLength: 16 }).map((parts) => parts.join(''))

describe('the fast path for audio frames [RT-9]', () => {
  test.each(accepted)('accepts an append: %s', (_, frame) => {
    expect(isAudioAppend(frameOf(frame))).toBe(true)
    expectAppend(frameOf(frame))
  })

  test.each(otherFrames)('leaves other frames to the parser: %s', (_, frame) => {
    expect(isAudioAppend(frameOf(frame))).toBe(false)
  })

  test('accepts every append in plain spelling, wherever its bytes are in memory', () => {
    fc.assert(
      fc.property(properAppend, fc.nat(7), (text, offset) => {
        expect(isAudioAppend(frameOf(text, offset))).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })

  test('accepts no frame that a parser would read differently', () => {
    let accepted = 0
    fc.assert(
      fc.property(fc.oneof({ weight: 3, arbitrary: nearMiss }, soup), fc.nat(7), (text, offset) => {
        const frame = frameOf(text, offset)
        if (!isAudioAppend(frame)) return
        accepted += 1
        expectAppend(frame)
      }),
      { numRuns: 30_000 },
    )
    expect(accepted).toBeGreaterThan(200)
  })

  test('finds a control character at every position of a frame', () => {
    for (let offset = 0; offset < 4; offset += 1)
      for (let at = 0; at <= append.length; at += 1)
        for (const control of ['\0', '\n', '\u001f']) {
          const frame = frameOf(append.slice(0, at) + control + append.slice(at), offset)
          expect(isAudioAppend(frame)).toBe(false)
        }
  })
})
