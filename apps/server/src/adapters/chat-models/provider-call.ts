import type {
  ChatCall,
  ChatMessage,
  ChatStepRequest,
  ChatTool,
  ChatToolChoice,
} from '../../ports/chat-model.js'
import { isStrictSchema, responseFormatOf } from './answer-format.js'
import type { ProviderCall } from './provider-model.js'

type ProviderMessage = ProviderCall['prompt'][number]
type ProviderTool = Extract<NonNullable<ProviderCall['tools']>[number], { type: 'function' }>

/** Translates one step into a call to the provider packages. */
export function providerCallOf(
  {
    target,
    messages,
    tools,
    toolChoice,
    maxOutputTokens,
    responseSchema,
  }: Pick<
    ChatStepRequest,
    'target' | 'messages' | 'tools' | 'toolChoice' | 'maxOutputTokens' | 'responseSchema'
  >,
  abortSignal: AbortSignal,
): ProviderCall {
  const call = {
    prompt: (target.kind === 'anthropic' ? withUserFirst(messages) : messages).map(messageOf),
    abortSignal,
    providerOptions: providerOptionsFor(responseSchema),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(responseSchema && { responseFormat: responseFormatOf(responseSchema) }),
  }
  if (tools.length > 0)
    return {
      ...call,
      tools: tools.map(toolOf),
      ...(toolChoice !== undefined && { toolChoice: choiceOf(toolChoice) }),
    }
  // Anthropic rejects a conversation that contains calls but no tools. The tools are therefore named, but
  // cannot be called.
  const called = target.kind === 'anthropic' ? calledTools(messages) : []
  return called.length === 0 ? call : { ...call, tools: called, toolChoice: { type: 'none' } }
}

/**
 * Arguments need not stream, because a partial call is of no use. The setting also keeps the tool
 * descriptions unchanged.
 */
const providerOptionsFor = (schema: ChatStepRequest['responseSchema']) => ({
  anthropic: { toolStreaming: false },
  ...(schema && { openai: { strictJsonSchema: isStrictSchema(schema) } }),
  ...(schema && { openaiCompatible: { strictJsonSchema: isStrictSchema(schema) } }),
})

/**
 * Added before an answer that begins the conversation. An agent may speak first, but some providers of this
 * format require the user's message first.
 */
function withUserFirst(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const start = messages.findIndex(({ role }) => role !== 'system')
  if (start < 0 || messages[start]?.role === 'user') return messages
  const opening = { role: 'user', text: '(The conversation continues here.)' } as const
  return messages.toSpliced(start, 0, opening)
}

function messageOf(message: ChatMessage): ProviderMessage {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.text }
    case 'user':
      return {
        role: 'user',
        content: [
          ...(message.images ?? []).map(({ contentType, bytes }) => ({
            type: 'file' as const,
            mediaType: contentType,
            data: bytes,
          })),
          { type: 'text', text: message.text },
        ],
      }
    case 'assistant':
      return {
        role: 'assistant',
        content: [
          // Some providers reject an empty text.
          ...(message.text === '' ? [] : [{ type: 'text' as const, text: message.text }]),
          ...message.calls.map((call) => ({
            type: 'tool-call' as const,
            toolCallId: call.callId,
            toolName: call.name,
            input: inputOf(call),
          })),
        ],
      }
    case 'tool':
      return {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: message.callId,
            toolName: message.name,
            output: { type: 'text', value: message.output },
          },
        ],
      }
  }
}

/**
 * Providers accept only JSON objects here. If the model wrote anything else, its own text is sent back to it.
 */
function inputOf(call: ChatCall): object {
  const input = parse(call.arguments === '' ? '{}' : call.arguments)
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input)
  return isObject ? input : { malformedArguments: call.arguments }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function toolOf({ name, description, parameters }: ChatTool): ProviderTool {
  return { type: 'function', name, description, inputSchema: parameters }
}

function choiceOf(choice: ChatToolChoice): NonNullable<ProviderCall['toolChoice']> {
  return typeof choice === 'string' ? { type: choice } : { type: 'tool', toolName: choice.name }
}

function calledTools(messages: readonly ChatMessage[]): ProviderTool[] {
  const names = messages.flatMap((message) =>
    message.role === 'assistant' ? message.calls.map((call) => call.name) : [],
  )
  return [...new Set(names)].map((name) => ({ type: 'function', name, inputSchema: { type: 'object' } }))
}
