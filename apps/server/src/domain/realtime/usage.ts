import type { RealtimeUsage } from '@parley/contract'
import { noTokens } from '../usage/model-use.js'
import type { UsedAmount } from '../usage/prices/prices.js'
import type { ResponseUsage, TranscriptionUsage } from './protocol/provider-event.js'

export const noUsage: RealtimeUsage = {
  responses: 0,
  totalTokens: 0,
  inputTokens: 0,
  inputTextTokens: 0,
  inputAudioTokens: 0,
  inputImageTokens: 0,
  cachedTokens: 0,
  cachedTextTokens: 0,
  cachedAudioTokens: 0,
  outputTokens: 0,
  outputTextTokens: 0,
  outputAudioTokens: 0,
}

/** The usage of a session so far, as reported by its provider. */
export class UsageTotal {
  #value: RealtimeUsage = noUsage

  get value(): RealtimeUsage {
    return this.#value
  }

  addResponse(usage: ResponseUsage | null): void {
    this.#value = addUsage(this.#value, usage)
  }

  /** Adds the tokens of a sub-agent's chat model to the session's total. */
  addChat(amount: UsedAmount | null): void {
    if (amount !== null) this.#value = addChatUsage(this.#value, amount)
  }
}

/** Adds the usage of one response. If no usage was reported, only the response is counted. */
export function addUsage(total: RealtimeUsage, usage: ResponseUsage | null): RealtimeUsage {
  const responses = total.responses + 1
  if (usage === null) return { ...total, responses }
  return {
    responses,
    totalTokens: total.totalTokens + usage.totalTokens,
    inputTokens: total.inputTokens + usage.inputTokens,
    inputTextTokens: total.inputTextTokens + usage.inputTextTokens,
    inputAudioTokens: total.inputAudioTokens + usage.inputAudioTokens,
    inputImageTokens: total.inputImageTokens + usage.inputImageTokens,
    cachedTokens: total.cachedTokens + usage.cachedTokens,
    cachedTextTokens: total.cachedTextTokens + usage.cachedTextTokens,
    cachedAudioTokens: total.cachedAudioTokens + usage.cachedAudioTokens,
    outputTokens: total.outputTokens + usage.outputTokens,
    outputTextTokens: total.outputTextTokens + usage.outputTextTokens,
    outputAudioTokens: total.outputAudioTokens + usage.outputAudioTokens,
  }
}

/** A chat model uses only text tokens. Its steps do not count as responses. */
function addChatUsage(total: RealtimeUsage, { tokens }: UsedAmount): RealtimeUsage {
  const { textInput, textOutput, cachedTextInput } = tokens
  return {
    ...total,
    totalTokens: total.totalTokens + textInput + textOutput,
    inputTokens: total.inputTokens + textInput,
    inputTextTokens: total.inputTextTokens + textInput,
    cachedTokens: total.cachedTokens + cachedTextInput,
    cachedTextTokens: total.cachedTextTokens + cachedTextInput,
    outputTokens: total.outputTokens + textOutput,
    outputTextTokens: total.outputTextTokens + textOutput,
  }
}

/**
 * Returns the usage of a response by modality. Tokens without a modality count as text, and unspecified
 * tokens as input.
 */
export function responseAmount(usage: ResponseUsage | null): UsedAmount | null {
  if (usage === null) return null
  const { inputTokens, inputAudioTokens, inputImageTokens, outputTokens, outputAudioTokens } = usage
  const { cachedTokens, cachedAudioTokens, cachedImageTokens } = usage
  const input = Math.max(inputTokens, usage.totalTokens - outputTokens)
  const text = (all: number, told: number, ...others: number[]) =>
    Math.max(told, all - others.reduce((sum, other) => sum + other, 0))
  return {
    tokens: {
      ...noTokens,
      textInput: text(input, usage.inputTextTokens, inputAudioTokens, inputImageTokens),
      audioInput: inputAudioTokens,
      imageInput: inputImageTokens,
      cachedTextInput: text(cachedTokens, usage.cachedTextTokens, cachedAudioTokens, cachedImageTokens),
      cachedAudioInput: cachedAudioTokens,
      cachedImageInput: cachedImageTokens,
      textOutput: text(outputTokens, usage.outputTextTokens, outputAudioTokens),
      audioOutput: outputAudioTokens,
    },
    audioMilliseconds: usage.billableAudioSeconds * 1000,
  }
}

/** Returns the usage of a transcription: tokens as in a response, or the duration. */
export function transcriptionAmount(usage: TranscriptionUsage | null): UsedAmount | null {
  if (usage?.type === 'duration') return { tokens: noTokens, audioMilliseconds: usage.seconds * 1000 }
  return usage === null ? null : responseAmount(usage.tokens)
}
