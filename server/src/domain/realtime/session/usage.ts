import type { RealtimeUsage } from '@parley/contract'
import type { ChatUsage } from '../../../ports/chat-model.js'
import { numberField, objectField, type ProviderEvent } from '../protocol/provider-frame.js'

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

/** Adds what a `response.done` says was used. Cached tokens are a part of the input, not on top of it. */
export function addUsage(total: RealtimeUsage, responseDone: ProviderEvent): RealtimeUsage {
  const usage = objectField(objectField(responseDone, 'response'), 'usage')
  const input = objectField(usage, 'input_token_details')
  const cached = objectField(input, 'cached_tokens_details')
  const output = objectField(usage, 'output_token_details')
  const count = (fields: object | undefined, name: string) => numberField(fields, name) ?? 0
  return {
    responses: total.responses + 1,
    totalTokens: total.totalTokens + count(usage, 'total_tokens'),
    inputTokens: total.inputTokens + count(usage, 'input_tokens'),
    inputTextTokens: total.inputTextTokens + count(input, 'text_tokens'),
    inputAudioTokens: total.inputAudioTokens + count(input, 'audio_tokens'),
    inputImageTokens: total.inputImageTokens + count(input, 'image_tokens'),
    cachedTokens: total.cachedTokens + count(input, 'cached_tokens'),
    cachedTextTokens: total.cachedTextTokens + count(cached, 'text_tokens'),
    cachedAudioTokens: total.cachedAudioTokens + count(cached, 'audio_tokens'),
    outputTokens: total.outputTokens + count(usage, 'output_tokens'),
    outputTextTokens: total.outputTextTokens + count(output, 'text_tokens'),
    outputAudioTokens: total.outputAudioTokens + count(output, 'audio_tokens'),
  }
}

/** Adds what a text model took that worked for the session. It is no response of the session's own model. */
export function addTextUsage(
  total: RealtimeUsage,
  { inputTokens, outputTokens, cachedInputTokens }: ChatUsage,
): RealtimeUsage {
  return {
    ...total,
    totalTokens: total.totalTokens + inputTokens + outputTokens,
    inputTokens: total.inputTokens + inputTokens,
    inputTextTokens: total.inputTextTokens + inputTokens,
    cachedTokens: total.cachedTokens + cachedInputTokens,
    cachedTextTokens: total.cachedTextTokens + cachedInputTokens,
    outputTokens: total.outputTokens + outputTokens,
    outputTextTokens: total.outputTextTokens + outputTokens,
  }
}
