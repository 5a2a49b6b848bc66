import { type Fields, fieldsOf, listOf, textOf } from '../../realtime-dialects/json-fields.js'
import { type Dialect, serverVad, sessionParts } from './dialect.js'

/** The names of OpenAI's beta, which several providers use, and the current names. */
const currentNames: Readonly<Record<string, string>> = {
  'response.audio.delta': 'response.output_audio.delta',
  'response.audio.done': 'response.output_audio.done',
  'response.audio_transcript.delta': 'response.output_audio_transcript.delta',
  'response.audio_transcript.done': 'response.output_audio_transcript.done',
  'response.text.delta': 'response.output_text.delta',
  'response.text.done': 'response.output_text.done',
  'conversation.item.created': 'conversation.item.added',
}

const formats: Readonly<Record<string, string>> = {
  'audio/pcm': 'pcm16',
  'audio/pcmu': 'g711_ulaw',
  'audio/pcma': 'g711_alaw',
}

/** Servers with the events and the flat session of OpenAI's beta, such as speaches. */
export function makeBetaNames(): Dialect {
  return { toProvider: (event) => ({ event: toBetaNames(event) }), fromProvider: fromBetaNames, audioFrame }
}

/** Converts an event of the client or the service. */
export function toBetaNames(event: Fields): Fields {
  switch (event.type) {
    case 'session.update':
      return { ...event, session: betaSession(fieldsOf(event.session)) }
    case 'conversation.item.create':
      return { ...event, item: betaItem(fieldsOf(event.item)) }
    case 'response.create':
      return event.response === undefined
        ? event
        : { ...event, response: betaResponse(fieldsOf(event.response)) }
    default:
      return event
  }
}

/** The session of the beta is flat. Its speech detection is the only one that all of these servers have. */
export function betaSession(session: Fields): Fields {
  const { voice, inputFormat, outputFormat, transcription, turnDetection } = sessionParts(session)
  const { instructions, tools, tool_choice } = session
  return {
    instructions,
    voice,
    tools,
    tool_choice,
    modalities: ['text', 'audio'],
    input_audio_format: formats[textOf(inputFormat.type)],
    output_audio_format: formats[textOf(outputFormat.type)],
    input_audio_transcription: transcription,
    turn_detection: serverVad(turnDetection),
  }
}

function betaItem(item: Fields): Fields {
  if (item.type !== 'message' || item.role !== 'assistant') return item
  const content = listOf(item.content).map((part) =>
    part.type === 'output_text' ? { ...part, type: 'text' } : part,
  )
  return { ...item, content }
}

function betaResponse({ output_modalities: modalities, audio, ...response }: Fields): Fields {
  const { format, voice } = fieldsOf(fieldsOf(audio).output)
  const formatName = formats[textOf(fieldsOf(format).type)]
  return {
    ...response,
    ...(Array.isArray(modalities) && {
      modalities: modalities.includes('audio') ? ['text', 'audio'] : ['text'],
    }),
    ...(voice !== undefined && { voice }),
    ...(formatName !== undefined && { output_audio_format: formatName }),
  }
}

/** Converts an event of the provider. */
export function fromBetaNames(event: Fields): readonly Fields[] {
  const type = textOf(event.type)
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
}

const earlierType = '"type":"response.audio.delta"'
const typeFirst = Buffer.from(`{${earlierType}`)
const typeSecond = Buffer.from(`,${earlierType}`)
const idFirst = Buffer.from('{"event_id":"')
const currentStart = Buffer.from('{"type":"response.output_audio.delta"')
const comma = Buffer.from(',')
/** The longest beginning of a frame in which its type is searched. */
const searchedBytes = 200

/** Renames a frame with audio without parsing it. Its type comes first, or after its id. */
export function audioFrame(frame: Buffer): Buffer | null {
  if (frame.subarray(0, typeFirst.length).equals(typeFirst))
    return Buffer.concat([currentStart, frame.subarray(typeFirst.length)])
  if (!frame.subarray(0, idFirst.length).equals(idFirst)) return null
  const at = frame.subarray(0, searchedBytes).indexOf(typeSecond)
  // The event's id is the only text before the type.
  if (at < 0 || frame.indexOf('"', idFirst.length) !== at - 1) return null
  return Buffer.concat([currentStart, comma, frame.subarray(1, at), frame.subarray(at + typeSecond.length)])
}

function currentSession(session: Fields): Fields {
  const { modalities, voice, input_audio_format, output_audio_format, ...rest } = session
  const { input_audio_transcription: transcription, turn_detection } = session
  return {
    ...rest,
    type: 'realtime',
    output_modalities: currentModalities(modalities),
    audio: {
      input: { format: currentFormat(input_audio_format), transcription, turn_detection },
      output: { format: currentFormat(output_audio_format), voice: voiceName(voice) },
    },
  }
}

/** Some providers wrap the name of a voice. */
const voiceName = (voice: unknown) => (typeof voice === 'string' ? voice : (fieldsOf(voice).name ?? null))

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
  if (item.type !== 'message') return item
  return { ...item, content: listOf(item.content).map(currentPart) }
}

/** Readers require the transcript of a part, which Qwen omits or names differently. */
function currentPart(part: Fields): Fields {
  switch (part.type) {
    case 'audio': {
      const { text, ...rest } = part
      return { transcript: text ?? '', ...rest, type: 'output_audio' }
    }
    case 'input_audio':
      return { transcript: null, ...part }
    case 'text':
      return { ...part, type: 'output_text' }
    default:
      return part
  }
}
