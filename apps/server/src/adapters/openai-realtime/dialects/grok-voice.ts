import { BoundedMap } from '../../../concurrency/bounded-map.js'
import { type Fields, fieldsOf, listOf, textOf } from '../../realtime-dialects/json-fields.js'
import {
  type Dialect,
  maxRememberedItems,
  serverVad,
  sessionParts,
  truncated,
  unsupported,
} from './dialect.js'

const audioDelta = Buffer.from('{"type":"response.output_audio.delta"')

/**
 * xAI's Grok Voice. Its events have OpenAI's current names. The voice and turn detection are at the top of the session,
 * transcripts of the user are repeated while they grow, and several events lack fields or have placeholders in them.
 */
export function makeGrokVoice(): Dialect {
  /** The user's words so far, by item. */
  const heard = new BoundedMap<string, string>(maxRememberedItems)
  /** The assistant's whole words, by item. */
  const spoken = new BoundedMap<string, string>(maxRememberedItems)

  /** Returns the words that were added since the last event. A correction of earlier words waits for the final event. */
  function userDelta(event: Fields): readonly Fields[] {
    const itemId = textOf(event.item_id)
    const words = textOf(event.transcript)
    const before = heard.get(itemId) ?? ''
    if (!words.startsWith(before) || words === before) return []
    heard.set(itemId, words)
    const { transcript: _, status: __, ...rest } = event
    return [
      {
        ...rest,
        type: 'conversation.item.input_audio_transcription.delta',
        delta: words.slice(before.length),
      },
    ]
  }

  const partOf = (itemId: string) => ({ type: 'output_audio', transcript: spoken.get(itemId) ?? '' })

  return {
    toProvider(event) {
      if (event.type === 'conversation.item.truncate') return truncated(event)
      if (event.type === 'response.create' && isTextOnly(event))
        return unsupported(event, 'xAI does not answer in text only. Request audio.')
      if (event.type !== 'session.update') return { event }
      const session = fieldsOf(event.session)
      const { voice, inputFormat, outputFormat, transcription, turnDetection } = sessionParts(session)
      const { instructions, tools, tool_choice } = session
      const converted = {
        instructions,
        voice,
        tools,
        tool_choice,
        turn_detection: serverVad(turnDetection),
        audio: { input: { format: inputFormat, transcription }, output: { format: outputFormat } },
      }
      return { event: { ...event, session: converted } }
    },

    fromProvider(event) {
      switch (event.type) {
        case 'ping':
          return []
        case 'conversation.item.input_audio_transcription.completed':
          if (event.status === 'in_progress') return userDelta(event)
          heard.delete(textOf(event.item_id))
          return [event]
        case 'response.output_audio_transcript.done':
          spoken.set(textOf(event.item_id), textOf(event.transcript))
          return [event]
        case 'response.content_part.done':
          return [{ part: partOf(textOf(event.item_id)), ...event }]
        case 'response.output_item.done':
        case 'response.output_item.added':
        case 'conversation.item.added': {
          const item = fieldsOf(event.item)
          const isWhole = event.type === 'response.output_item.done'
          const content = isWhole ? [partOf(textOf(item.id))] : []
          return [{ ...event, item: completeItem(item, content) }]
        }
        case 'response.created':
          return [{ ...event, response: completeResponse(event) }]
        case 'response.done': {
          const { usage: _, ...rest } = event
          return [{ ...rest, response: completeResponse(event) }]
        }
        default:
          return [event]
      }
    },

    audioFrame: (frame) => (frame.subarray(0, audioDelta.length).equals(audioDelta) ? frame : null),
  }
}

function isTextOnly({ response }: Fields): boolean {
  const { output_modalities: modalities } = fieldsOf(response)
  return Array.isArray(modalities) && !modalities.includes('audio')
}

/** Calls have a role of their own here, and finished messages no content. */
function completeItem(item: Fields, content: readonly Fields[]): Fields {
  const { role, ...rest } = item
  if (item.type !== 'message') return rest
  return role === 'assistant' ? { role, content, ...rest } : item
}

/** The counts are beside the response, and a placeholder is in it. */
function completeResponse(event: Fields): Fields {
  const { usage: given, status_details, ...response } = fieldsOf(event.response)
  const usage = Object.keys(fieldsOf(given)).length > 0 ? given : (event.usage ?? null)
  return {
    ...response,
    status_details: typeof status_details === 'string' ? null : status_details,
    output: listOf(response.output).map((item) => completeItem(item, [])),
    usage,
  }
}
