import { messageText } from '../realtime-dialects/conversation-items.js'
import { type Fields, fieldsOf, listOf, textOf } from '../realtime-dialects/json-fields.js'
import { geminiSchema } from './gemini-schema.js'

/** The part of a conversation that a new session receives if the former one cannot be resumed. */
const maxHistoryCharacters = 24_000

export interface Turn {
  readonly role: 'user' | 'model'
  readonly parts: readonly { readonly text: string }[]
}

/** The configuration of a session, in OpenAI's words. */
export function readSession(update: object) {
  const session = fieldsOf(fieldsOf(update).session)
  const { input, output } = fieldsOf(session.audio)
  const { format, voice } = fieldsOf(output)
  return {
    session,
    model: textOf(session.model),
    voice: textOf(voice),
    inputFormat: textOf(fieldsOf(fieldsOf(input).format).type),
    turnDetection: fieldsOf(fieldsOf(input).turn_detection),
    outputFormat: textOf(fieldsOf(format).type),
  }
}

export interface SetupParts {
  readonly items: readonly Fields[]
  /** The session to resume, or null. */
  readonly handle: string | null
  /** Returns the resource name of a model. */
  readonly nameOf: (model: string) => string
}

/**
 * Returns the first message of a socket. Messages with the role `system` become instructions, because the conversation has
 * only a user and a model.
 */
export function setupMessage(
  session: Fields,
  { items, handle, nameOf }: SetupParts,
): { readonly setup: object } {
  const { model, voice, turnDetection } = readSession({ session })
  const { type, silence_duration_ms: silenceDurationMs } = turnDetection
  const system = items.filter(({ role }) => role === 'system').map((item) => messageText(item).text)
  const instructions = [textOf(session.instructions), ...system].filter((text) => text !== '')
  const declarations = listOf(session.tools).map(declarationOf)
  return {
    setup: {
      model: nameOf(model),
      generationConfig: {
        responseModalities: ['AUDIO'],
        speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: voice } } },
      },
      ...(instructions.length > 0 && {
        systemInstruction: { parts: instructions.map((text) => ({ text })) },
      }),
      ...(declarations.length > 0 && { tools: [{ functionDeclarations: declarations }] }),
      ...(type === 'server_vad' && {
        realtimeInputConfig: { automaticActivityDetection: { silenceDurationMs } },
      }),
      inputAudioTranscription: {},
      outputAudioTranscription: {},
      sessionResumption: handle === null ? {} : { handle },
      contextWindowCompression: { slidingWindow: {} },
    },
  }
}

function declarationOf({ name, description, parameters }: Fields): object {
  const schema = fieldsOf(parameters)
  const hasParameters = Object.keys(fieldsOf(schema.properties)).length > 0
  return {
    name,
    description: textOf(description),
    ...(hasParameters && { parameters: geminiSchema(schema) }),
  }
}

/** Converts the newest items to turns, as text. Calls cannot be replayed, because a session only knows its own ones. */
export function turnsOf(items: readonly Fields[]): readonly Turn[] {
  const calls = items.filter(({ type }) => type === 'function_call')
  const callNames = new Map(calls.map((call) => [call.call_id, textOf(call.name)] as const))
  const turns: Turn[] = []
  let characters = 0
  for (const item of items.toReversed()) {
    const said = saidIn(item, callNames)
    if (said === null || said.text === '') continue
    characters += said.text.length
    if (characters > maxHistoryCharacters) break
    const [next] = turns
    const part = { text: said.text }
    if (next?.role === said.role) turns[0] = { role: said.role, parts: [part, ...next.parts] }
    else turns.unshift({ role: said.role, parts: [part] })
  }
  return turns
}

function saidIn(
  item: Fields,
  callNames: ReadonlyMap<unknown, string>,
): { readonly role: Turn['role']; readonly text: string } | null {
  if (item.type === 'function_call')
    return { role: 'user', text: `The tool ${item.name} was called with ${textOf(item.arguments)}.` }
  if (item.type === 'function_call_output')
    return { role: 'user', text: outputText(callNames.get(item.call_id) ?? null, textOf(item.output)) }
  if (item.type !== 'message' || item.role === 'system') return null
  const spoken = listOf(item.content).map(({ transcript }) => textOf(transcript))
  const text = [messageText(item).text, ...spoken].join('')
  return { role: item.role === 'assistant' ? 'model' : 'user', text }
}

/** The output of a call that the session does not know, as text. */
export function outputText(name: string | null, output: string): string {
  return `Result of the tool ${name ?? 'that was called before'}: ${output}`
}
