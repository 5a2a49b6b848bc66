import { type Dialect, type Fields, fieldsOf, listOf, sessionParts, textOf } from './dialect.js'

/** The names of OpenAI's beta that Voice Live uses, and the current names. */
const currentNames: Readonly<Record<string, string>> = {
  'response.audio.delta': 'response.output_audio.delta',
  'response.audio.done': 'response.output_audio.done',
  'response.audio_transcript.delta': 'response.output_audio_transcript.delta',
  'response.audio_transcript.done': 'response.output_audio_transcript.done',
  'response.text.delta': 'response.output_text.delta',
  'response.text.done': 'response.output_text.done',
  'conversation.item.created': 'conversation.item.added',
}

/** Events without a counterpart in OpenAI's protocol: avatars, visemes and the like. */
const dropped = /^(?:response\.(?:animation|video|audio_timestamp)|session\.avatar|warning)/

const audioStart = Buffer.from(',"type":"response.audio.delta"')
const idStart = Buffer.from('{"event_id":"')
const currentStart = Buffer.from('{"type":"response.output_audio.delta",')
/** The longest beginning of a frame in which its type is searched. */
const searchedBytes = 200

const formats: Readonly<Record<string, string>> = {
  'audio/pcm': 'pcm16',
  'audio/pcmu': 'g711_ulaw',
  'audio/pcma': 'g711_alaw',
}

/** Azure's Voice Live: the events and the flat session of OpenAI's beta, and voices of Azure. */
export function makeVoiceLive(): Dialect {
  return {
    toProvider(event) {
      if (event.type !== 'session.update') return { event }
      const session = fieldsOf(event.session)
      const { voice, inputFormat, outputFormat, transcription } = sessionParts(session)
      const { instructions, tools, tool_choice } = session
      const converted = {
        ...{ instructions, tools, tool_choice },
        modalities: ['text', 'audio'],
        voice: { type: isAzureVoice(voice) ? 'azure-standard' : 'openai', name: voice },
        input_audio_format: formats[textOf(inputFormat.type)],
        output_audio_format: formats[textOf(outputFormat.type)],
        ...(inputFormat.type === 'audio/pcm' && { input_audio_sampling_rate: 24000 }),
        input_audio_transcription: transcription,
        turn_detection: { type: 'server_vad', create_response: true, interrupt_response: true },
      }
      return { event: { ...event, session: converted } }
    },

    fromProvider(event) {
      const type = textOf(event.type)
      if (dropped.test(type)) return []
      const named = { ...event, type: currentNames[type] ?? type }
      switch (type) {
        case 'session.created':
        case 'session.updated':
          return [{ ...named, session: currentSession(fieldsOf(event.session)) }]
        case 'response.created':
        case 'response.done':
          return [{ ...named, response: currentResponse(fieldsOf(event.response)) }]
        case 'response.output_item.added':
        case 'response.output_item.done':
        case 'conversation.item.created':
        case 'conversation.item.done':
          return [{ ...named, item: currentItem(fieldsOf(event.item)) }]
        case 'response.content_part.added':
        case 'response.content_part.done':
          return [{ ...named, part: currentPart(fieldsOf(event.part)) }]
        default:
          return [named]
      }
    },

    audioFrame(frame) {
      if (!frame.subarray(0, idStart.length).equals(idStart)) return null
      const at = frame.subarray(0, searchedBytes).indexOf(audioStart)
      // The event's id is the only text before the type.
      if (at < 0 || frame.indexOf('"', idStart.length) !== at - 1) return null
      return Buffer.concat([currentStart, frame.subarray(1, at), frame.subarray(at + audioStart.length)])
    },
  }
}

/** Names of Azure's voices begin with a locale, as `en-US-AvaNeural` does. */
const isAzureVoice = (voice: string) => /^[a-z]{2,3}-[A-Z]{2}-/.test(voice)

function currentSession(session: Fields): Fields {
  const { modalities, voice, input_audio_format, output_audio_format, ...rest } = session
  const { input_audio_transcription: transcription, turn_detection } = session
  return {
    ...rest,
    type: 'realtime',
    output_modalities: currentModalities(modalities),
    audio: {
      input: { format: currentFormat(input_audio_format), transcription, turn_detection },
      output: { format: currentFormat(output_audio_format), voice: fieldsOf(voice).name ?? null },
    },
  }
}

function currentFormat(format: unknown): Fields {
  const [type = 'audio/pcm'] = Object.entries(formats).find(([, name]) => name === format) ?? []
  return type === 'audio/pcm' ? { type, rate: 24000 } : { type }
}

/** The beta lists text beside audio. */
function currentModalities(modalities: unknown): readonly string[] {
  return Array.isArray(modalities) && !modalities.includes('audio') ? ['text'] : ['audio']
}

function currentResponse({ modalities, ...response }: Fields): Fields {
  return {
    ...response,
    output_modalities: currentModalities(modalities),
    output: listOf(response.output).map(currentItem),
  }
}

function currentItem(item: Fields): Fields {
  if (item.type !== 'message' || item.role !== 'assistant') return item
  return { ...item, content: listOf(item.content).map(currentPart) }
}

function currentPart(part: Fields): Fields {
  const type = textOf(part.type)
  return type === 'audio' || type === 'text' ? { ...part, type: `output_${type}` } : part
}
