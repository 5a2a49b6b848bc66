import type { ChatUsage } from '../../ports/chat-model.js'

export function addUsage(one: ChatUsage, other: ChatUsage): ChatUsage {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    cachedInputTokens: one.cachedInputTokens + other.cachedInputTokens,
  }
}
