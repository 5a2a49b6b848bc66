import type { ChatUsage } from '../../ports/chat-model.js'

export const noUsage: ChatUsage = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 }

export function addUsage(one: ChatUsage, other: ChatUsage): ChatUsage {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    cachedInputTokens: one.cachedInputTokens + other.cachedInputTokens,
  }
}
