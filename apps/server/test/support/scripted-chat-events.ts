/** A tool call that the model makes. */
export interface ScriptedCall {
  /** null: the call has no ID, which is possible only in OpenAI's format. */
  readonly id?: string | null
  readonly name: string
  /** A string is sent unchanged, a list one piece at a time, an object as JSON. */
  readonly arguments?: string | readonly string[] | object
}

export interface ScriptedUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cachedInputTokens?: number
  /** Tokens that Anthropic writes to its cache. */
  readonly cacheWriteTokens?: number
}

/** The output of the model in one step. */
export interface ScriptedStep {
  /** One delta or several. The stream pauses until a promise in the list resolves. */
  readonly text?: string | readonly (string | Promise<unknown>)[]
  readonly calls?: readonly ScriptedCall[]
  /** null: the provider reports no usage. */
  readonly usage?: ScriptedUsage | null
  /** The model reached its output limit. */
  readonly isCutOff?: boolean
}

/** An event of the stream as sent over the wire, or a promise that the stream waits for. */
export type ScriptedEvent = string | Promise<unknown>

/** The events of a step, and the final events that mark it as finished. */
export interface ScriptedEvents {
  readonly said: readonly ScriptedEvent[]
  readonly finish: readonly ScriptedEvent[]
}

/** The model version that responses report. */
export const scriptedModel = 'a-text-model-2026-11-01'

const defaultUsage: ScriptedUsage = { inputTokens: 10, outputTokens: 5 }

/** A step in the stream format of the chat completions API. Pieces of parallel calls are interleaved. */
export function openaiEvents({
  text,
  calls = [],
  usage = defaultUsage,
  isCutOff,
}: ScriptedStep): ScriptedEvents {
  const chunk = (delta: object, finishReason: string | null = null) =>
    data({
      id: 'chatcmpl-1',
      model: scriptedModel,
      object: 'chat.completion.chunk',
      choices: [choice(delta, finishReason)],
    })
  const starts = calls.map(({ id = newId(), name }, index) => {
    const call = { index, type: 'function', function: { name, arguments: '' } }
    return chunk({ tool_calls: [id === null ? call : { ...call, id }] })
  })
  const pieces = calls.flatMap((call, index) =>
    piecesOf(call).map((piece, turn) => ({ turn, delta: { index, function: { arguments: piece } } })),
  )
  const interleaved = pieces.sort((one, other) => one.turn - other.turn)
  return {
    said: [
      chunk({ role: 'assistant', content: '' }),
      ...deltasOf(text).map((delta) => (typeof delta === 'string' ? chunk({ content: delta }) : delta)),
      ...starts,
      ...interleaved.map(({ delta }) => chunk({ tool_calls: [delta] })),
    ],
    finish: [
      chunk({}, isCutOff ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop'),
      ...(usage === null ? [] : [data({ id: 'chatcmpl-1', choices: [], usage: openaiUsage(usage) })]),
      'data: [DONE]\n\n',
    ],
  }
}

const choice = (delta: object, finishReason: string | null) => ({
  index: 0,
  delta,
  finish_reason: finishReason,
})

const openaiUsage = ({ inputTokens, outputTokens, cachedInputTokens = 0 }: ScriptedUsage) => ({
  prompt_tokens: inputTokens,
  completion_tokens: outputTokens,
  total_tokens: inputTokens + outputTokens,
  prompt_tokens_details: { cached_tokens: cachedInputTokens },
})

/** A step in the stream format of Anthropic's messages API, one block at a time. */
export function anthropicEvents({ text, calls = [], usage, isCutOff }: ScriptedStep): ScriptedEvents {
  const told = usage ?? { ...defaultUsage, ...(usage === null && { inputTokens: 0, outputTokens: 0 }) }
  const { inputTokens, outputTokens, cachedInputTokens = 0, cacheWriteTokens = 0 } = told
  const event = (type: string, fields: object) => `event: ${type}\n${data({ type, ...fields })}`
  const block = (index: number, start: object, deltas: readonly (object | Promise<unknown>)[]) => [
    event('content_block_start', { index, content_block: start }),
    ...deltas.map((delta) =>
      delta instanceof Promise ? delta : event('content_block_delta', { index, delta }),
    ),
    event('content_block_stop', { index }),
  ]
  const deltas = deltasOf(text)
  const inputUsage = {
    input_tokens: inputTokens - cachedInputTokens - cacheWriteTokens,
    cache_read_input_tokens: cachedInputTokens,
    cache_creation_input_tokens: cacheWriteTokens,
    output_tokens: 0,
  }
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    content: [],
    model: scriptedModel,
    usage: inputUsage,
  }
  const textDeltas = deltas.map((delta) =>
    typeof delta === 'string' ? { type: 'text_delta', text: delta } : delta,
  )
  return {
    said: [
      event('message_start', { message }),
      ...(deltas.length === 0 ? [] : block(0, { type: 'text', text: '' }, textDeltas)),
      ...calls.flatMap((call, index) =>
        block(
          index + 1,
          { type: 'tool_use', id: call.id ?? newId(), name: call.name, input: {} },
          piecesOf(call).map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
        ),
      ),
    ],
    finish: [
      event('message_delta', {
        delta: { stop_reason: isCutOff ? 'max_tokens' : calls.length > 0 ? 'tool_use' : 'end_turn' },
        usage: { output_tokens: outputTokens },
      }),
      event('message_stop', {}),
    ],
  }
}

const data = (value: object) => `data: ${JSON.stringify(value)}\n\n`

function deltasOf(text: ScriptedStep['text'] = []): readonly (string | Promise<unknown>)[] {
  return typeof text === 'string' ? [text] : text
}

function piecesOf({ arguments: given = '{}' }: ScriptedCall): readonly string[] {
  if (typeof given === 'string') return [given]
  return Array.isArray(given) ? (given as readonly string[]) : [JSON.stringify(given)]
}

let lastId = 0

function newId(): string {
  lastId += 1
  return `call_${lastId}`
}
