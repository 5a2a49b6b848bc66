import { GeminiDialect } from '#server/adapters/gemini-live/gemini-dialect.js'
import { openingOf } from './dialect-run.js'
import { type ReadSession, type RecordedMessage, replay } from './recorded-session.js'

type Fields = Readonly<Record<string, unknown>>

const sent = (data: object): RecordedMessage => ({ direction: 'sent', data: { ...data } })
const received = (data: object): RecordedMessage => ({ direction: 'received', data: { ...data } })
const content = (serverContent: object, rest: object = {}) => received({ serverContent, ...rest })
const sound = (mimeType = 'audio/pcm;rate=24000') => ({
  parts: [{ inlineData: { mimeType, data: 'AwAaACYA' } }],
})
const thought = content({ modelTurn: { parts: [{ text: '**Greeting**\n\nI will greet.', thought: true }] } })
const asks = (text: string) =>
  sent({ clientContent: { turns: [{ role: 'user', parts: [{ text }] }], turnComplete: true } })
const setup = (model: string) => [
  sent({ setup: { model: `models/${model}` } }),
  received({ setupComplete: {} }),
]
const text = (tokenCount: number) => ({ modality: 'TEXT', tokenCount })
const audio = (tokenCount: number) => ({ modality: 'AUDIO', tokenCount })
const output = (id: string, name: string) =>
  sent({ toolResponse: { functionResponses: [{ id, name, response: { output: 'It is foggy.' } }] } })

/** Sessions in the shapes of the real ones, of several models. */
export const geminiRecordings = {
  'a spoken turn of 2.5, word by word': [
    ...setup('gemini-2.5-flash-native-audio-latest'),
    sent({ realtimeInput: { audio: {} } }),
    ...[' Good', ' day', ',', ' I', ' am Ada.'].map((word) =>
      content({ inputTranscription: { text: word } }),
    ),
    thought,
    content({ outputTranscription: { text: 'Good day, Ada.' } }),
    content({ modelTurn: sound() }),
    content({ generationComplete: true }),
    content(
      { turnComplete: true },
      {
        usageMetadata: {
          ...{ promptTokenCount: 1197, responseTokenCount: 37, totalTokenCount: 1234 },
          ...{ promptTokensDetails: [text(1196), audio(1)], responseTokensDetails: [audio(37)] },
          thoughtsTokenCount: 28,
        },
      },
    ),
  ],
  'a spoken turn of 3.8, transcribed after the answer began': [
    ...setup('gemini-3.8-live'),
    sent({ realtimeInput: { audio: {} } }),
    received({ voiceActivity: { type: 'ACTIVITY_START', audioOffset: '0.320s' } }),
    received({ sessionResumptionUpdate: { newHandle: 'h1', resumable: true } }),
    received({ voiceActivity: { type: 'ACTIVITY_END', audioOffset: '1.880s' } }),
    received({}),
    content({ modelTurn: sound(), outputTranscription: { text: 'Good' } }),
    content({ inputTranscription: { text: 'Good day, I am Ada.' } }),
    content({ modelTurn: sound(), outputTranscription: { text: ' day, Ada.' } }),
    content({ generationComplete: true }),
    content({}),
    content(
      { turnComplete: true },
      { usageMetadata: { promptTokenCount: 626, promptTokensDetails: [text(312), audio(287)] } },
    ),
  ],
  'a call of 2.5': [
    ...setup('gemini-2.5-flash-native-audio-latest'),
    asks('How is the weather?'),
    thought,
    received({
      toolCall: {
        functionCalls: [
          { name: 'weather', args: { city: 'York' }, id: 'function-call-17744606672650526673' },
        ],
      },
    }),
    output('function-call-17744606672650526673', 'weather'),
    content({ outputTranscription: { text: 'It is' } }),
    content({ modelTurn: sound() }),
    content({ outputTranscription: { text: ' foggy.' } }),
    content({ generationComplete: true }),
    content(
      { turnComplete: true },
      {
        usageMetadata: {
          ...{ promptTokenCount: 541, responseTokenCount: 61, totalTokenCount: 602, thoughtsTokenCount: 46 },
          ...{ promptTokensDetails: [text(541)], responseTokensDetails: [audio(61)] },
        },
      },
    ),
  ],
  'a call of 3.1, with bundled fields': [
    ...setup('gemini-3.1-flash-live-preview'),
    asks('How is the weather?'),
    content({}),
    received({
      toolCall: {
        functionCalls: [{ name: 'weather', args: { city: 'York' }, id: 'fc_3880303533621599938' }],
      },
    }),
    output('fc_3880303533621599938', 'weather'),
    received({ sessionResumptionUpdate: { newHandle: 'h2', resumable: true } }),
    content({}),
    content({ modelTurn: sound(), outputTranscription: { text: 'It is' } }),
    content({ modelTurn: sound(), outputTranscription: { text: ' foggy.' } }),
    content({ generationComplete: true }),
    content(
      { turnComplete: true },
      { usageMetadata: { promptTokenCount: 482, responseTokenCount: 69, totalTokenCount: 551 } },
    ),
  ],
  'a call of Vertex AI, whose turn ends before the answer': [
    ...setup('gemini-live-2.5-flash'),
    asks('How is the weather?'),
    content({ outputTranscription: {} }),
    received({
      toolCall: {
        functionCalls: [
          { name: 'weather', args: { city: 'York' }, id: '4d456feb-1704-40b6-a692-5130e7872447' },
        ],
      },
    }),
    output('4d456feb-1704-40b6-a692-5130e7872447', 'weather'),
    content({ outputTranscription: { finished: true } }),
    content({ generationComplete: true }),
    content(
      { turnComplete: true },
      { usageMetadata: { promptTokenCount: 24, candidatesTokenCount: 5, totalTokenCount: 29 } },
    ),
    content({ outputTranscription: { text: 'It is foggy.' } }),
    content({ outputTranscription: { finished: true } }),
    content({ modelTurn: sound('audio/pcm') }),
    content({ generationComplete: true }),
    content(
      { turnComplete: true },
      { usageMetadata: { promptTokenCount: 44, candidatesTokenCount: 61, totalTokenCount: 105 } },
    ),
  ],
  'an answer that follows the history': [
    ...setup('gemini-3.1-flash-live-preview'),
    sent({
      clientContent: {
        turns: [
          { role: 'user', parts: [{ text: 'I am Ada.' }] },
          { role: 'model', parts: [{ text: 'Good day, Ada.' }] },
        ],
        turnComplete: false,
      },
    }),
    asks('Who am I?'),
    content({}),
    content({ outputTranscription: { text: 'You are Ada.' } }),
    content({ modelTurn: sound() }),
    content({ generationComplete: true }),
    content(
      { turnComplete: true },
      { usageMetadata: { promptTokenCount: 187, totalTokenCount: 187, promptTokensDetails: [text(154)] } },
    ),
  ],
} as const satisfies Readonly<Record<string, readonly RecordedMessage[]>>

/** Replays a recording of Gemini. The client does the same as the recorded one, in OpenAI's events. */
export function replayGemini(recording: readonly RecordedMessage[]): Promise<ReadSession> {
  const messages = recording.map(({ direction, data }) => ({ direction, data: camelCased(data) }))
  const history = messages.flatMap(({ data }) => {
    const { turns, turnComplete } = (data.clientContent ?? {}) as Fields
    return turnComplete === false ? (turns as Fields[]) : []
  })
  const [{ data: first } = { data: {} as Fields }] = messages
  const model = String((first.setup as Fields | undefined)?.model).replace(/^models\//, '')
  const items = history.map(({ role, parts }, index) => ({
    ...{ id: `past_${index}`, type: 'message', role: role === 'user' ? 'user' : 'assistant' },
    content: (parts as Fields[]).map((part) => ({ type: 'input_text', text: part.text })),
  }))
  const parts = {
    opening: openingOf(model, 'Puck', items),
    makeDialect: (...given: ConstructorParameters<typeof GeminiDialect>) => new GeminiDialect(...given),
  }
  return replay(messages, parts, actsOf)
}

/** Returns what a client of ours does when the recorded one sends a message. */
function actsOf(message: Fields, events: readonly Fields[]): readonly object[] {
  const { turns, turnComplete } = (message.clientContent ?? {}) as Fields
  if (turnComplete === true) {
    const [turn] = turns as Fields[]
    const words = ((turn?.parts ?? []) as Fields[]).map((part) => ({ type: 'input_text', text: part.text }))
    const item = { type: 'message', role: 'user', content: words }
    return [{ type: 'conversation.item.create', item }, { type: 'response.create' }]
  }
  if (message.realtimeInput !== undefined) return [{ type: 'input_audio_buffer.append', audio: 'AAAAAAAA' }]
  if (message.toolResponse === undefined) return []
  const outputs = (message.toolResponse as Fields).functionResponses as Fields[]
  const calls = events.filter(({ type }) => type === 'response.function_call_arguments.done')
  return [
    ...outputs.map((given, index) => {
      const { call_id } = calls.at(index - outputs.length) ?? {}
      const item = { type: 'function_call_output', call_id, output: (given.response as Fields).output }
      return { type: 'conversation.item.create', item }
    }),
    { type: 'response.create' },
  ]
}

/** Recordings of Python's client have names with underscores at the top. */
function camelCased(data: Fields): Fields {
  const named = (name: string) => name.replace(/_(\w)/, (_, letter: string) => letter.toUpperCase())
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [named(name), value]))
}
