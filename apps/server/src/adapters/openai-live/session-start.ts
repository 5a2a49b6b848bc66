import { messageText } from '../realtime-dialects/conversation-items.js'
import { type Fields, fieldsOf, listOf, textOf } from '../realtime-dialects/json-fields.js'

/** Live takes 128 messages and about 8000 tokens. */
const maxMessages = 128
const maxCharacters = 24_000

/** The configuration of a session, in OpenAI's words. */
export function readSession(update: object) {
  const event = fieldsOf(update)
  const session = fieldsOf(event.session)
  const { input, output } = fieldsOf(session.audio)
  const { format, voice } = fieldsOf(output)
  const inputType = textOf(fieldsOf(fieldsOf(input).format).type) || 'audio/pcm'
  const outputType = textOf(fieldsOf(format).type) || 'audio/pcm'
  return {
    session,
    eventId: textOf(event.event_id),
    voice: textOf(voice),
    inputType,
    outputType,
    /** Both directions have one format. Different ones are converted to and from PCM16. */
    wireType: inputType === outputType ? inputType : 'audio/pcm',
  }
}

/** Returns the one message that starts a session. One prompt serves the voice and the text model behind it. */
export function startMessage(update: object, items: readonly object[], backendModel: string): object {
  const { session, eventId, voice, wireType } = readSession(update)
  const input = historyOf(items.map((event) => fieldsOf(fieldsOf(event).item)))
  return {
    type: 'session.start',
    event_id: eventId,
    session: {
      model: session.model,
      instructions: session.instructions,
      ...(input.length > 0 && { input }),
      audio: {
        format: { type: wireType, rate: wireType === 'audio/pcm' ? 24_000 : 8_000 },
        output: { voice },
      },
      delegation: {
        type: 'responses',
        responses: { model: backendModel, ...delegated(session) },
      },
    },
  }
}

/** The part of a session that belongs to the text model. It may change later. */
export function delegated({ instructions, tools, tool_choice }: Fields): Fields {
  return {
    ...(instructions !== undefined && { instructions }),
    ...(tools !== undefined && { tools: listOf(tools).map(toolOf) }),
    ...(tool_choice !== undefined && { tool_choice }),
  }
}

/** A strict tool needs a schema of a special form, which the schemas of agents do not have. */
function toolOf({ name, description, parameters }: Fields): object {
  return { type: 'function', name, description, parameters, strict: false }
}

interface Message {
  readonly type: 'message'
  readonly role: 'user' | 'assistant' | 'developer'
  readonly content: readonly [{ readonly type: string; readonly text: string }]
}

/** Returns the newest items that fit, as text. Calls become messages to the models, because a session only knows its own. */
function historyOf(items: readonly Fields[]): Message[] {
  const outputs = new Map(items.map((item) => [item.call_id, item.output] as const))
  const messages: Message[] = []
  let characters = 0
  for (const item of items.toReversed()) {
    const message = messageOf(item, outputs)
    if (message === null) continue
    characters += message.content[0].text.length
    if (characters > maxCharacters || messages.length === maxMessages) break
    messages.unshift(message)
  }
  return messages
}

function messageOf(item: Fields, outputs: ReadonlyMap<unknown, unknown>): Message | null {
  if (item.type === 'function_call') {
    const output = outputs.get(item.call_id)
    const result =
      typeof output === 'string' ? `It returned: ${output}` : 'Its result is not known yet and will follow.'
    return developerMessage(
      `The tool ${textOf(item.name)} was called with ${textOf(item.arguments)}. ${result}`,
    )
  }
  const { text } = messageText(item)
  if (item.type !== 'message' || text.trim() === '') return null
  if (item.role === 'assistant')
    return { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }
  return item.role === 'user'
    ? { type: 'message', role: 'user', content: [{ type: 'input_text', text }] }
    : developerMessage(text)
}

export function developerMessage(text: string): Message {
  return { type: 'message', role: 'developer', content: [{ type: 'input_text', text }] }
}
