export type Fields = Readonly<Record<string, unknown>>

/** An action of a provider's client, in any of the protocols. */
export type ClientStep =
  | { readonly step: 'configure' }
  | { readonly step: 'append'; readonly audio: string }
  | { readonly step: 'type'; readonly text: string }
  | { readonly step: 'output'; readonly name: string; readonly output: string }
  | { readonly step: 'request' }
  /** The voice is asked to say this in its own words. */
  | { readonly step: 'say'; readonly text: string }
  | { readonly step: 'commit' }

/** Returns the steps that a client's message consists of. `names` are the names of the tools, by the ids of their calls. */
export function clientSteps(message: Fields, names: ReadonlyMap<unknown, string>): readonly ClientStep[] {
  return typeof message.type === 'string' ? openAiSteps(message, names) : geminiSteps(camelCased(message))
}

/** Returns the calls that a provider's message announces: their ids and the names of their tools. */
export function openCallNames(message: Fields): readonly (readonly [id: unknown, name: string])[] {
  const { functionCalls = [] } = (message.toolCall ?? {}) as { readonly functionCalls?: readonly Fields[] }
  // GPT-Live wraps the events of its text model.
  const { item = {} } = (message.event ?? message) as { readonly item?: Fields }
  const calls = functionCalls.map(({ id, name }) => [id, String(name)] as const)
  return item.type === 'function_call' ? [[item.call_id, String(item.name)], ...calls] : calls
}

function openAiSteps(
  { type, audio, content: said, item = {} }: Fields,
  names: ReadonlyMap<unknown, string>,
): readonly ClientStep[] {
  switch (type) {
    case 'session.update':
    case 'session.start':
      return [{ step: 'configure' }]
    case 'input_audio_buffer.append':
    case 'session.input_audio.append':
      return [{ step: 'append', audio: String(audio) }]
    case 'response.create':
      return [{ step: 'request' }]
    case 'session.commentary.append':
      return [{ step: 'say', text: String(said) }]
    case 'input_audio_buffer.commit':
      return [{ step: 'commit' }]
    case 'conversation.item.create':
    case 'response.item.create': {
      const { call_id, output, content = [] } = item as Fields & { readonly content?: readonly Fields[] }
      return call_id === undefined
        ? [{ step: 'type', text: textOf(content) }]
        : [{ step: 'output', name: names.get(call_id) ?? '', output: String(output) }]
    }
    default:
      return []
  }
}

function geminiSteps({ setup, realtimeInput, clientContent, toolResponse }: Fields): readonly ClientStep[] {
  if (setup !== undefined) return [{ step: 'configure' }]
  const { audio, text } = (realtimeInput ?? {}) as { readonly audio?: Fields; readonly text?: string }
  if (audio !== undefined) return [{ step: 'append', audio: String(audio.data) }]
  if (text !== undefined) return [{ step: 'type', text }, { step: 'request' }]
  const { turns = [], turnComplete = false } = (clientContent ?? {}) as {
    readonly turns?: readonly { readonly parts: readonly Fields[] }[]
    readonly turnComplete?: boolean
  }
  const { functionResponses = [] } = (toolResponse ?? {}) as {
    readonly functionResponses?: readonly { readonly name: string; readonly response: Fields }[]
  }
  return [
    ...turns.map(({ parts }) => ({ step: 'type', text: textOf(parts) }) as const),
    ...(turnComplete ? [{ step: 'request' } as const] : []),
    ...functionResponses.map(
      ({ name, response }) => ({ step: 'output', name, output: String(response.output) }) as const,
    ),
  ]
}

/** Returns the texts of earlier turns with which a session of GPT-Live starts. */
export function startedHistory({ type, session }: Fields): readonly string[] {
  const { input = [] } = (session ?? {}) as {
    readonly input?: readonly { readonly content: readonly Fields[] }[]
  }
  return type === 'session.start' ? input.map(({ content }) => textOf(content)) : []
}

const textOf = (parts: readonly Fields[]) => parts.map(({ text }) => String(text ?? '')).join('')

/** Python's client writes underscores in the names at the top. */
function camelCased(message: Fields): Fields {
  const named = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  return Object.fromEntries(Object.entries(message).map(([name, value]) => [named(name), value]))
}
