import { BoundedMap } from '../../../concurrency/bounded-map.js'
import { ClientAudio } from '../../realtime-dialects/client-audio.js'
import { type Fields, fieldsOf, listOf, textOf } from '../../realtime-dialects/json-fields.js'
import { ProviderAudio } from '../../realtime-dialects/provider-audio.js'
import { ignoredSetting, withSettings } from '../../realtime-dialects/request-settings.js'
import { errorEvent, type ServerEvent } from '../../realtime-dialects/server-event.js'
import { audioFrame, betaSession, fromBetaNames, toBetaNames } from './beta-names.js'
import { type Dialect, maxRememberedItems, sessionParts, truncated, unsupported } from './dialect.js'

const inputRate = 16_000
const outputRate = 24_000

/** These have one way to detect speech. Later models also understand whether a sentence is complete. */
const earlierModels = /^qwen(?:3)?-omni/

/** Events that Qwen does not have. */
const missing: Readonly<Record<string, string>> = {
  'conversation.item.delete': 'Qwen cannot delete items of the conversation.',
  'output_audio_buffer.clear': 'Qwen cannot clear audio that it has sent. Stop the playback.',
}

const honouredSettings: ReadonlySet<string> = new Set(['instructions', 'output_modalities'])

/**
 * Alibaba's Qwen-Omni: the events of OpenAI's beta, tools in the form of the chat API, and audio of the user at 16 kHz. It
 * accepts other events only after it has confirmed the session.
 */
export function makeQwenOmni(): Dialect {
  let input = new ClientAudio('audio/pcm', inputRate)
  /** Null if the client takes the audio unchanged. */
  let output: ProviderAudio | null = null
  /** Qwen does not return items, so they are remembered here. */
  const items = new BoundedMap<string, Fields>(maxRememberedItems)

  function remember(event: Fields): void {
    const item = fieldsOf(event.item)
    if (typeof item.id === 'string') items.set(item.id, item)
    if (event.type !== 'conversation.item.input_audio_transcription.completed') return
    const heard = items.get(textOf(event.item_id))
    const content = [{ type: 'input_audio', transcript: event.transcript ?? null }]
    if (heard !== undefined) items.set(textOf(event.item_id), { ...heard, content })
  }

  function retrieved(event: Fields): ServerEvent {
    const item = items.get(textOf(event.item_id))
    return item === undefined
      ? errorEvent(event, 'item_not_found', 'The conversation has no such item.', 'item_id')
      : { type: 'conversation.item.retrieved', item }
  }

  function received(event: Fields): readonly Fields[] {
    if (event.type === 'response.done')
      return fromBetaNames({ ...event, response: withUsage(fieldsOf(event.response)) })
    if (event.type === 'response.audio.delta' && output !== null)
      return fromBetaNames({ ...event, delta: output.convert(textOf(event.delta)) })
    return fromBetaNames(event)
  }

  function converted(event: Fields): Fields {
    const session = fieldsOf(event.session)
    const { inputFormat, outputFormat, turnDetection } = sessionParts(session)
    input = new ClientAudio(textOf(inputFormat.type), inputRate)
    output =
      outputFormat.type === 'audio/pcm' ? null : new ProviderAudio(textOf(outputFormat.type), outputRate)
    const { tool_choice: _, tools, ...beta } = betaSession(session)
    const hasPause = turnDetection.type === 'server_vad'
    const isSemantic = !hasPause && !earlierModels.test(textOf(session.model))
    return {
      ...event,
      session: {
        ...beta,
        input_audio_format: 'pcm',
        output_audio_format: 'pcm',
        turn_detection: { ...fieldsOf(beta.turn_detection), ...(isSemantic && { type: 'semantic_vad' }) },
        ...(listOf(tools).length > 0 && { tools: listOf(tools).map(chatTool) }),
      },
    }
  }

  return {
    convertsAudio: true,
    waitsForConfirmation: true,
    toProvider(event) {
      const type = textOf(event.type)
      switch (type) {
        case 'session.update':
          return { event: converted(event) }
        case 'input_audio_buffer.append':
          return { event: { ...event, audio: input.convert(textOf(event.audio)) } }
        case 'conversation.item.retrieve':
          return { reply: retrieved(event) }
        case 'conversation.item.truncate':
          return truncated(event)
        case 'response.create': {
          const ignored = ignoredSetting(event, honouredSettings)
          if (ignored !== null)
            return unsupported(event, `Qwen cannot change \`${ignored}\` for one response. Leave it out.`)
          return { event: toBetaNames(withSettings(event, honouredSettings)) }
        }
        default: {
          const reason = missing[type]
          return reason === undefined ? { event: toBetaNames(event) } : unsupported(event, reason)
        }
      }
    },
    fromProvider(event) {
      const events = received(event)
      for (const each of events) remember(each)
      return events
    },
    audioFrame: (frame) => (output === null ? audioFrame(frame) : null),
  }
}

function chatTool({ type, ...definition }: Fields): Fields {
  return { type, function: definition }
}

/** Qwen names the details of the counts differently. */
function withUsage(response: Fields): Fields {
  const { input_tokens_details, output_tokens_details, ...usage } = fieldsOf(response.usage)
  if (Object.keys(usage).length === 0) return response
  const details = { input_token_details: input_tokens_details, output_token_details: output_tokens_details }
  return { ...response, usage: { ...details, ...usage } }
}
