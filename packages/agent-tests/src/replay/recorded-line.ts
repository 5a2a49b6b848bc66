import { z } from 'zod'

/*
 * The format of a recording: one request or one realtime session, with one line of JSON for each event, in
 * order. The first line is the opening. `at` is the number of milliseconds since the start and only informs
 * people. A player uses only the order.
 */

const from = z.enum(['client', 'provider'])
const at = z.number()

const Opening = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('request'), method: z.string(), path: z.string() }),
  z.strictObject({ kind: z.literal('session'), path: z.string() }),
])

const Line = z.discriminatedUnion('kind', [
  /** A frame, a body or a piece of one as JSON, if `JSON.stringify` restores the same bytes. */
  z.strictObject({ from, at, kind: z.literal('json'), json: z.json() }),
  z.strictObject({ from, at, kind: z.literal('text'), text: z.string() }),
  z.strictObject({ from, at, kind: z.literal('base64'), base64: z.string() }),
  /** Audio of the client. Only its size is recorded: it is private, and players do not need it. */
  z.strictObject({ from: z.literal('client'), at, kind: z.literal('audio'), bytes: z.number() }),
  /** The response to a request, or the rejection of a handshake. */
  z.strictObject({
    from: z.literal('provider'),
    at,
    kind: z.literal('status'),
    status: z.int(),
    headers: z.record(z.string(), z.string()),
  }),
  /**
   * The side that ended the exchange. For a request, `isWhole` is whether the response was complete. For a
   * session, `code` is the close code.
   */
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

/** The transmitted content, in one of three forms. */
export type RecordedContent =
  | { readonly kind: 'json'; readonly json: z.core.util.JSONType }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'base64'; readonly base64: string }

export interface Recording {
  readonly opening: RecordedOpening
  readonly lines: readonly RecordedLine[]
}

/** Throws if the text is not a recording. */
export function readRecording(text: string): Recording {
  const [opening = '', ...lines] = text.split('\n').filter((line) => line !== '')
  return {
    opening: Opening.parse(JSON.parse(opening)),
    lines: lines.map((line) => Line.parse(JSON.parse(line))),
  }
}

/** Returns JSON if it restores the same bytes, because it is easier to read, and text otherwise. */
export function contentOf(text: string): RecordedContent {
  try {
    const json = z.json().parse(JSON.parse(text))
    return JSON.stringify(json) === text ? { kind: 'json', json } : { kind: 'text', text }
  } catch {
    return { kind: 'text', text }
  }
}

/** Returns the transmitted bytes, or null for lines without content. */
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

/** The parts of a client's frame that a player compares. */
export interface ClientFrame {
  readonly type: string
  /** The ids that the client made up, in a fixed order, so that those of two runs can be paired. */
  readonly ids: readonly (string | undefined)[]
}

/** Returns the number of audio bytes in a frame, or null if it has none. */
export function audioAppendBytes(text: string): number | null {
  if (!text.includes('input_audio_buffer.append')) return null
  const append = Append.safeParse(parse(text))
  return append.success ? Buffer.byteLength(append.data.audio, 'base64') : null
}

/** Frames that a provider would not understand share one type. */
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
