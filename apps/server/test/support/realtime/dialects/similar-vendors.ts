import type { SimilarVendor } from './similar-server.js'

type Fields = Readonly<Record<string, unknown>>

const events = {
  'session.update': ['session'],
  'input_audio_buffer.append': ['audio'],
  'input_audio_buffer.commit': [],
  'input_audio_buffer.clear': [],
  'conversation.item.create': ['item', 'previous_item_id'],
  'response.create': ['response'],
  'response.cancel': [],
}
const cut = ['item_id', 'content_index', 'audio_end_ms']
const openAiEvents = {
  ...events,
  'conversation.item.delete': ['item_id'],
  'conversation.item.retrieve': ['item_id'],
  'conversation.item.truncate': cut,
  'response.cancel': ['response_id'],
}
const vad = [
  'type',
  'threshold',
  'silence_duration_ms',
  'prefix_padding_ms',
  'create_response',
  'interrupt_response',
]
const betaSession = [
  ...[
    'modalities',
    'instructions',
    'voice',
    'input_audio_format',
    'output_audio_format',
    'tools',
    'tool_choice',
  ],
  ...['input_audio_transcription', 'turn_detection', 'temperature', 'max_response_output_tokens'],
]
const betaResponse = [
  ...['modalities', 'instructions', 'voice', 'output_audio_format', 'tools', 'tool_choice', 'temperature'],
  ...['conversation', 'input', 'metadata', 'max_output_tokens'],
]

const fieldsOf = (value: unknown) => (value ?? {}) as Fields
const listOf = (value: unknown) => (value ?? []) as readonly Fields[]

/** Returns what is wrong with the speech detection, or null. */
function vadProblem(detection: unknown, types: readonly string[]) {
  const { type, ...rest } = fieldsOf(detection)
  const unknown = Object.keys(rest).find((name) => !vad.includes(name))
  if (unknown !== undefined)
    return { message: `Unknown parameter: ${unknown}.`, param: `session.turn_detection.${unknown}` }
  return types.includes(String(type))
    ? null
    : { message: `Invalid turn detection: ${type}.`, param: 'session.turn_detection.type' }
}

/** In the beta, the assistant's words have the type `text`. */
function betaItemProblem({ type, role, content }: Fields): string | null {
  if (type !== 'message') return null
  const allowed = role === 'assistant' ? ['text'] : ['input_text', 'input_audio']
  const wrong = listOf(content).find((part) => !allowed.includes(String(part.type)))
  return wrong === undefined ? null : `Invalid content type: ${wrong.type}.`
}

const openAiItemProblem = ({ type, role, content }: Fields): string | null => {
  if (type !== 'message') return null
  const allowed =
    role === 'assistant' ? ['output_text', 'output_audio'] : ['input_text', 'input_audio', 'input_image']
  const wrong = listOf(content).find((part) => !allowed.includes(String(part.type)))
  return wrong === undefined ? null : `Invalid content type: ${wrong.type}.`
}

const betaNames: Readonly<Record<string, string>> = {
  'response.output_audio.delta': 'response.audio.delta',
  'response.output_audio.done': 'response.audio.done',
  'response.output_audio_transcript.delta': 'response.audio_transcript.delta',
  'response.output_audio_transcript.done': 'response.audio_transcript.done',
  'conversation.item.added': 'conversation.item.created',
}

/** The beta has one event for an item, when it is added. */
function writeBeta(event: Fields): readonly Fields[] {
  const type = String(event.type)
  if (type === 'conversation.item.done') return []
  const named = { ...event, type: betaNames[type] ?? type }
  if (type === 'session.created')
    return [
      { ...named, session: { object: 'realtime.session', modalities: ['text', 'audio'], voice: 'alloy' } },
    ]
  const { item, part, response } = event
  return [
    {
      ...named,
      ...(item !== undefined && { item: betaItem(item as Fields) }),
      ...(part !== undefined && { part: betaPart(part as Fields) }),
      ...(response !== undefined && { response: betaResponseOf(response as Fields) }),
    },
  ]
}

function betaItem(item: Fields): Fields {
  return item.content === undefined ? item : { ...item, content: listOf(item.content).map(betaPart) }
}

const betaPart = (part: Fields) => (part.type === 'output_audio' ? { ...part, type: 'audio' } : part)

function betaResponseOf({ output_modalities: _, ...response }: Fields): Fields {
  return { ...response, modalities: ['text', 'audio'], output: listOf(response.output).map(betaItem) }
}

const flatFormats = ['pcm16', 'g711_ulaw', 'g711_alaw']

function flatProblem(session: Fields) {
  const wrong = ['input_audio_format', 'output_audio_format'].find(
    (name) => !flatFormats.includes(String(session[name])),
  )
  return wrong === undefined
    ? null
    : { message: `Invalid format: ${session[wrong]}.`, param: `session.${wrong}` }
}

/** OpenAI itself. */
export const openAi: SimilarVendor = {
  events: openAiEvents,
  sessionFields: ['type', 'model', 'output_modalities', 'instructions', 'audio', 'tools', 'tool_choice'],
  responseFields: [
    ...['conversation', 'input', 'instructions', 'output_modalities', 'audio', 'tools', 'tool_choice'],
    ...['metadata', 'max_output_tokens'],
  ],
  voices: ['alloy', 'marin'],
  acceptsInputBeforeSession: true,
  inputRate: 24_000,
  sessionProblem: () => null,
  itemProblem: openAiItemProblem,
  voiceOf: ({ audio }) => fieldsOf(fieldsOf(audio).output).voice,
  write: (event) => [event],
}

/** Servers with the names of OpenAI's beta. */
export const betaServer: SimilarVendor = {
  ...openAi,
  events: { ...openAiEvents, 'response.cancel': [] },
  sessionFields: betaSession,
  responseFields: betaResponse,
  sessionProblem: (session) => vadProblem(session.turn_detection, ['server_vad']) ?? flatProblem(session),
  itemProblem: betaItemProblem,
  voiceOf: ({ voice }) => voice,
  write: writeBeta,
}

/** Azure's Voice Live. */
export const voiceLive: SimilarVendor = {
  ...betaServer,
  sessionFields: [...betaSession, 'input_audio_sampling_rate'],
  responseFields: betaResponse.filter((name) => name !== 'conversation' && name !== 'input'),
  sessionProblem(session) {
    const { type } = fieldsOf(session.voice)
    if (type !== 'openai' && type !== 'azure-standard')
      return { message: `Invalid type of voice: ${type}.`, param: 'session.voice.type' }
    const detection = ['server_vad', 'azure_semantic_vad']
    return vadProblem(session.turn_detection, detection) ?? flatProblem(session)
  },
  voiceOf: ({ voice }) => fieldsOf(voice).name,
  write: (event) => [
    ...writeBeta(event),
    ...(event.type === 'response.output_audio.delta'
      ? [{ type: 'response.animation_viseme.delta', response_id: event.response_id, viseme_id: 3 }]
      : []),
  ],
}

/** xAI's Grok Voice, with its placeholders. */
export const grokVoice: SimilarVendor = {
  ...openAi,
  events: { ...events, 'conversation.item.delete': ['item_id'] },
  sessionFields: ['instructions', 'voice', 'tools', 'tool_choice', 'turn_detection', 'audio'],
  responseFields: [
    'instructions',
    'output_modalities',
    'tools',
    'tool_choice',
    'metadata',
    'conversation',
    'input',
    'max_output_tokens',
  ],
  voices: ['ara', 'eve'],
  sessionProblem: ({ turn_detection }) => vadProblem(turn_detection, ['server_vad']),
  voiceOf: ({ voice }) => voice,
  write: writeGrok,
}

function writeGrok(event: Fields): readonly Fields[] {
  const { item, response } = event
  switch (event.type) {
    case 'conversation.item.done':
      return []
    case 'conversation.item.input_audio_transcription.completed': {
      const [first] = String(event.transcript).split(' ')
      return [
        { ...event, transcript: first, status: 'in_progress' },
        { ...event, status: 'completed' },
      ]
    }
    case 'response.created':
    case 'response.done': {
      const { usage, output, ...rest } = response as Fields
      const whole = {
        ...rest,
        status_details: 'unimplemented',
        output: listOf(output).map(grokItem),
        usage: {},
      }
      return [
        { type: 'ping', timestamp: 1 },
        { ...event, response: whole, ...(usage !== null && { usage }) },
      ]
    }
    case 'response.content_part.done': {
      const { part: _, ...rest } = event
      return [rest]
    }
    default:
      return [item === undefined ? event : { ...event, item: grokItem(item as Fields) }]
  }
}

/** Calls have a role, and the assistant's messages have no content. */
function grokItem(item: Fields): Fields {
  if (item.type === 'message' && item.role === 'assistant') {
    const { content: _, ...rest } = item
    return rest
  }
  return item.type === 'message' ? item : { ...item, role: 'tool' }
}

/** Alibaba's Qwen-Omni. */
export const qwenOmni: SimilarVendor = {
  ...betaServer,
  events,
  sessionFields: [
    ...['modalities', 'voice', 'instructions', 'input_audio_format', 'output_audio_format', 'tools'],
    ...['input_audio_transcription', 'turn_detection', 'enable_search', 'temperature', 'max_tokens'],
  ],
  responseFields: ['instructions', 'modalities'],
  voices: ['Tina', 'Cherry'],
  acceptsInputBeforeSession: false,
  inputRate: 16_000,
  sessionProblem(session) {
    for (const name of ['input_audio_format', 'output_audio_format'])
      if (session[name] !== 'pcm') return { message: 'Only pcm is supported.', param: `session.${name}` }
    if (listOf(session.tools).some((tool) => typeof tool.function !== 'object'))
      return { message: 'Tools must have a function.', param: 'session.tools' }
    return vadProblem(session.turn_detection, ['server_vad', 'semantic_vad'])
  },
  write: (event) => writeBeta(event).map(inQwensNames),
}

/** Parts have a text, and the details of the counts have other names. */
function inQwensNames(event: Fields): Fields {
  const { part, item, response } = event
  return {
    ...event,
    ...(part !== undefined && { part: qwenPart(part as Fields) }),
    ...(item !== undefined && { item: qwenItem(item as Fields) }),
    ...(response !== undefined && { response: qwenResponse(response as Fields) }),
  }
}

const qwenPart = ({ transcript, ...part }: Fields) =>
  part.type === 'audio' ? { ...part, text: transcript } : part

function qwenItem(item: Fields): Fields {
  return item.content === undefined ? item : { ...item, content: listOf(item.content).map(qwenPart) }
}

function qwenResponse({ usage, output, ...response }: Fields): Fields {
  const named = { ...response, output: listOf(output).map(qwenItem) }
  if (usage === null || usage === undefined) return named
  const { input_token_details, output_token_details, ...counts } = usage as Fields
  const details = { input_tokens_details: input_token_details, output_tokens_details: output_token_details }
  return { ...named, usage: { ...counts, ...details } }
}
