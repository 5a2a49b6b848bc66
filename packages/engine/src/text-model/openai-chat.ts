import { makeId } from '../protocol/ids.js'
import { failed } from '../runtime/outcome.js'
import { type OutsideService, postToService, reasonOf } from '../runtime/outside-service.js'
import { chatMessages } from './chat-messages.js'
import { readEventStream } from './event-stream.js'
import type {
  ModelAnswer,
  ModelCall,
  ModelMessage,
  ModelRequest,
  ModelUsage,
  TextModel,
  ToolChoice,
} from './text-model.js'

/** A text model behind the provider's `/v1/chat/completions`. */
export function openAiChat(service: OutsideService): TextModel {
  return {
    async respond(request) {
      const response = await postToService(
        service,
        '/chat/completions',
        bodyOf(service.model, request),
        request.signal,
      )
      if (!response.ok) return response
      if (response.value.body === null) return failed('The answer has no body.')
      const reading = new ChatReading(request.onText)
      try {
        for await (const data of readEventStream(response.value.body))
          if (data !== '[DONE]') reading.add(JSON.parse(data))
      } catch (error) {
        return failed(`The answer broke off: ${reasonOf(error)}`)
      }
      return reading.answer()
    },
  }
}

interface ChatChunk {
  readonly choices?: readonly {
    readonly delta?: {
      readonly content?: string | null
      readonly tool_calls?: readonly {
        readonly index: number
        readonly id?: string
        readonly function?: { readonly name?: string; readonly arguments?: string }
      }[]
    }
    readonly finish_reason?: string | null
  }[]
  readonly usage?: {
    readonly prompt_tokens?: number
    readonly completion_tokens?: number
    readonly prompt_tokens_details?: { readonly cached_tokens?: number } | null
  } | null
  readonly error?: { readonly message?: string }
}

/** Assembles an answer from its chunks. Calls arrive in chunks too, and their index tells them apart. */
class ChatReading {
  readonly #onText: (delta: string) => void
  readonly #calls = new Map<number, { callId: string; name: string; arguments: string }>()
  #usage: ModelUsage | null = null
  #isCutOff = false
  #failure: string | null = null

  constructor(onText: (delta: string) => void) {
    this.#onText = onText
  }

  add(chunk: ChatChunk): void {
    if (chunk.error !== undefined) this.#failure = chunk.error.message ?? 'The model failed.'
    if (chunk.usage)
      this.#usage = {
        inputTokens: chunk.usage.prompt_tokens ?? 0,
        outputTokens: chunk.usage.completion_tokens ?? 0,
        cachedInputTokens: chunk.usage.prompt_tokens_details?.cached_tokens ?? 0,
      }
    const choice = chunk.choices?.[0]
    if (choice?.finish_reason === 'length') this.#isCutOff = true
    const text = choice?.delta?.content ?? ''
    if (text !== '') this.#onText(text)
    for (const piece of choice?.delta?.tool_calls ?? []) {
      const call = this.#calls.get(piece.index) ?? {
        callId: piece.id ?? makeId('call'),
        name: '',
        arguments: '',
      }
      call.name += piece.function?.name ?? ''
      call.arguments += piece.function?.arguments ?? ''
      this.#calls.set(piece.index, call)
    }
  }

  answer(): ModelAnswer {
    if (this.#failure !== null) return failed(this.#failure)
    const calls: readonly ModelCall[] = [...this.#calls.values()]
    return { ok: true, calls, usage: this.#usage, isCutOff: this.#isCutOff }
  }
}

function bodyOf(model: string, { messages, tools, toolChoice, maxOutputTokens }: ModelRequest): string {
  return JSON.stringify({
    model,
    stream: true,
    stream_options: { include_usage: true },
    messages: chatMessages(messages).map(wireMessage),
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map((tool) => ({ type: 'function', function: tool })),
          tool_choice: wireChoice(toolChoice),
        }),
    ...(maxOutputTokens === null ? {} : { max_tokens: maxOutputTokens }),
  })
}

function wireChoice(choice: ToolChoice): unknown {
  return typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.name } }
}

function wireMessage(message: ModelMessage): unknown {
  switch (message.role) {
    case 'system':
    case 'user':
      return { role: message.role, content: message.text }
    case 'tool':
      return { role: 'tool', tool_call_id: message.callId, content: message.output }
    case 'assistant':
      return {
        role: 'assistant',
        content: message.text === '' ? null : message.text,
        ...(message.calls.length === 0 ? {} : { tool_calls: message.calls.map(wireCall) }),
      }
  }
}

function wireCall({ callId, name, arguments: args }: ModelCall): unknown {
  return { id: callId, type: 'function', function: { name, arguments: args } }
}
