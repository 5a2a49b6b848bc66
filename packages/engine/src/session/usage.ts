import type { WireResponse } from '../protocol/server-event.js'
import type { ModelMessage, ModelTool, ModelUsage } from '../text-model/text-model.js'
import { type Item, partMilliseconds, textOf } from './item.js'

type Usage = NonNullable<WireResponse['usage']>

/** Counts as the providers do: one token per 100 ms of input audio, one per 50 ms of output audio. */
const inputTokenMilliseconds = 100
const outputTokenMilliseconds = 50
const charactersPerToken = 4

export interface UsageParts {
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly ModelTool[]
  readonly context: readonly Item[]
  readonly output: readonly Item[]
  /** Set if the model counts tokens itself. */
  readonly counted: ModelUsage | null
}

/** The usage of a response. Text is estimated from its length if the model does not count. */
export function responseUsage({ messages, tools, context, output, counted }: UsageParts): Usage {
  const inputText = counted?.inputTokens ?? textTokens([...messages.map(messageText), JSON.stringify(tools)])
  const inputAudio = audioTokens(context.filter(isHeard), inputTokenMilliseconds)
  const cached = counted?.cachedInputTokens ?? 0
  const outputText = counted?.outputTokens ?? textTokens(output.map(itemText))
  const outputAudio = audioTokens(output, outputTokenMilliseconds)
  return {
    total_tokens: inputText + inputAudio + outputText + outputAudio,
    input_tokens: inputText + inputAudio,
    output_tokens: outputText + outputAudio,
    input_token_details: {
      text_tokens: inputText,
      audio_tokens: inputAudio,
      image_tokens: 0,
      cached_tokens: cached,
      cached_tokens_details: { text_tokens: cached, audio_tokens: 0, image_tokens: 0 },
    },
    output_token_details: { text_tokens: outputText, audio_tokens: outputAudio },
  }
}

function isHeard(item: Item): boolean {
  return item.kind === 'message' && item.role === 'user'
}

function audioTokens(items: readonly Item[], tokenMilliseconds: number): number {
  let milliseconds = 0
  for (const item of items)
    if (item.kind === 'message') for (const part of item.parts) milliseconds += partMilliseconds(part)
  return Math.ceil(milliseconds / tokenMilliseconds)
}

function textTokens(texts: readonly string[]): number {
  return texts.reduce((total, text) => total + Math.ceil(text.length / charactersPerToken), 0)
}

function messageText(message: ModelMessage): string {
  if (message.role === 'tool') return message.output
  return message.role === 'assistant' ? message.text + JSON.stringify(message.calls) : message.text
}

function itemText(item: Item): string {
  if (item.kind === 'call') return item.name + item.arguments
  return item.kind === 'output' ? item.output : item.parts.map(textOf).join('')
}
