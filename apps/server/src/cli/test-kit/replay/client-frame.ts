import { z } from 'zod'

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
