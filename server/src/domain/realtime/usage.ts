import type { RealtimeUsage } from '@parley/contract'
import type { ChatUsage } from '../../ports/chat-model.js'
import type { ResponseUsage } from './protocol/provider-event.js'

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

/** What a session has used so far; `onChange` gets the new total each time. */
export class UsageTotal {
  readonly #onChange: (total: RealtimeUsage) => void
  #total: RealtimeUsage = noUsage

  constructor(onChange: (total: RealtimeUsage) => void) {
    this.#onChange = onChange
  }

  addResponse(usage: ResponseUsage): void {
    this.#change(addUsage(this.#total, usage))
  }

  /** A chat model has worked for the session, as a sub-agent's: its tokens are the session's as well. */
  addChat(usage: ChatUsage): void {
    this.#change(addChatUsage(this.#total, usage))
  }

  #change(total: RealtimeUsage): void {
    this.#total = total
    this.#onChange(total)
  }
}

/** Adds what one response used. */
export function addUsage(total: RealtimeUsage, usage: ResponseUsage): RealtimeUsage {
  return {
    responses: total.responses + 1,
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

/** What a chat model takes is text, and no response of the session's own model. */
function addChatUsage(
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
