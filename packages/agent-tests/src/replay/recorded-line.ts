import { z } from 'zod'

/*
 * A file of a recording: one request or one realtime session, a line of JSON for each thing that happened, in order. The
 * first line says what it is; `at` is milliseconds since its start, for people to read: a player goes by the order alone.
 */

const from = z.enum(['client', 'provider'])
const at = z.number()

const Opening = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('request'), method: z.string(), path: z.string() }),
  z.strictObject({ kind: z.literal('session'), path: z.string() }),
])

const Line = z.discriminatedUnion('kind', [
  /** A frame or a body, or a piece of it, that is the same when it is written as JSON again. */
  z.strictObject({ from, at, kind: z.literal('json'), json: z.json() }),
  z.strictObject({ from, at, kind: z.literal('text'), text: z.string() }),
  z.strictObject({ from, at, kind: z.literal('base64'), base64: z.string() }),
  /** Sound of the client's: what was said is nobody's business, and no player needs it. */
  z.strictObject({ from: z.literal('client'), at, kind: z.literal('audio'), bytes: z.number() }),
  /** The answer to a request, or the refusal of a handshake. */
  z.strictObject({
    from: z.literal('provider'),
    at,
    kind: z.literal('status'),
    status: z.int(),
    headers: z.record(z.string(), z.string()),
  }),
  /** Who ended it. Of a request `isWhole` says whether the answer was complete; of a session `code` is the close code. */
  z.strictObject({
    from,
    at,
    kind: z.literal('end'),
    isWhole: z.boolean(),
    code: z.int().optional(),
    reason: z.string().optional(),
  }),
])

export type RecordedOpening = z.output<typeof Opening>
export type RecordedLine = z.output<typeof Line>

/** What went over the wire, in one of the three forms. */
export type RecordedContent =
  | { readonly kind: 'json'; readonly json: z.core.util.JSONType }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'base64'; readonly base64: string }

export interface Recording {
  readonly opening: RecordedOpening
  readonly lines: readonly RecordedLine[]
}

/** Throws where the text is no recording. */
export function readRecording(text: string): Recording {
  const [opening = '', ...lines] = text.split('\n').filter((line) => line !== '')
  return {
    opening: Opening.parse(JSON.parse(opening)),
    lines: lines.map((line) => Line.parse(JSON.parse(line))),
  }
}

/** In a form that people can read, where it is one from which the same bytes come again. */
export function contentOf(text: string): RecordedContent {
  try {
    const json = z.json().parse(JSON.parse(text))
    return JSON.stringify(json) === text ? { kind: 'json', json } : { kind: 'text', text }
  } catch {
    return { kind: 'text', text }
  }
}

/** As it went over the wire; null for lines that say something else. */
export function wireForm(line: RecordedLine): string | Buffer | null {
  switch (line.kind) {
    case 'json':
      return JSON.stringify(line.json)
    case 'text':
      return line.text
    case 'base64':
      return Buffer.from(line.base64, 'base64')
    default:
      return null
  }
}

const Append = z.looseObject({ type: z.literal('input_audio_buffer.append'), audio: z.string() })
const Typed = z.looseObject({
  type: z.string(),
  event_id: z.string().optional(),
  item: z
    .looseObject({ id: z.string().optional(), call_id: z.string().optional() })
    .optional()
    .catch(undefined),
})

/** What a client of a provider sends, as far as a player goes by it. */
export interface ClientFrame {
  readonly type: string
  /** The ids that the client has made up, in one order: those of another run stand in the same places. */
  readonly ids: readonly (string | undefined)[]
}

/** How much sound a frame carries; null where it carries none. */
export function audioAppendBytes(text: string): number | null {
  if (!text.includes('input_audio_buffer.append')) return null
  const append = Append.safeParse(parse(text))
  return append.success ? Buffer.byteLength(append.data.audio, 'base64') : null
}

/** A frame that is nothing a provider would understand has a type of its own. */
export function clientFrameOf(text: string): ClientFrame {
  const frame = Typed.safeParse(parse(text))
  if (!frame.success) return { type: 'something else', ids: [] }
  const { type, event_id, item } = frame.data
  return { type, ids: [event_id, item?.id, item?.call_id] }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
