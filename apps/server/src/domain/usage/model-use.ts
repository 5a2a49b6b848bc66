import type { ConnectionKind, UsageTokens } from '@parley/contract'
import type { ChatTarget, ChatUsage } from '../../ports/chat-model.js'
import type { UsedAmount } from './prices/prices.js'

/** For whom models work: the session or turn, and who began it. */
export interface UsageAccount {
  readonly organizationId: string
  /** The session or turn. */
  readonly sourceId: string
  /** Null: a person in the console. */
  readonly apiKeyId: string | null
  readonly channel: 'text' | 'realtime'
  readonly rehearsal: boolean
}

export interface UsedModel {
  readonly connectionId: string
  readonly kind: ConnectionKind
  readonly model: string
  /** The engine speaks for it: sound is made on this machine, and costs nothing. */
  readonly isVoiced?: boolean
}

/** One use of a model. */
export interface ModelUse {
  readonly account: UsageAccount
  readonly agentId: string
  readonly used: UsedModel
  /** The id of the use within its session or turn. A repeated id is counted once. */
  readonly item: string
  readonly at: string
  /** Null: the provider did not say. */
  readonly amount: UsedAmount | null
  readonly milliseconds: number
  readonly toolCalls: number
  /** The turn began with it. */
  readonly isTurnStart?: boolean
}

export const noTokens: UsageTokens = {
  textInput: 0,
  textOutput: 0,
  audioInput: 0,
  audioOutput: 0,
  imageInput: 0,
  cachedTextInput: 0,
  cachedAudioInput: 0,
  cachedImageInput: 0,
  cacheWriteTextInput: 0,
}

/** Returns the usage of a chat model, which is text. */
export function chatAmount(usage: ChatUsage | null): UsedAmount | null {
  if (usage === null) return null
  const { inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens } = usage
  const tokens = {
    ...noTokens,
    textInput: inputTokens,
    textOutput: outputTokens,
    cachedTextInput: cachedInputTokens,
    cacheWriteTextInput: cacheWriteTokens,
  }
  return { tokens, audioMilliseconds: 0 }
}

export const chatModelOf = ({ connectionId, kind, model }: ChatTarget): UsedModel => ({
  connectionId,
  kind,
  model,
})
