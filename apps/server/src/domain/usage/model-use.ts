import type { ConnectionKind, UsageTokens } from '@parley/contract'
import type { ChatTarget, ChatUsage } from '../../ports/chat-model.js'
import type { UsageSums } from '../../ports/usage-stores.js'
import type { DayLimit } from './day-limit.js'
import type { UsedAmount } from './prices/prices.js'

/** The session or turn that uses models, and its origin. */
export interface UsageAccount {
  readonly organizationId: string
  /** The session or turn. */
  readonly sourceId: string
  /** Null if a person started it in the console. */
  readonly apiKeyId: string | null
  readonly channel: 'text' | 'realtime'
  readonly rehearsal: boolean
  /** Null if the end user is anonymous. */
  readonly endUserId: string | null
}

export interface UsedModel {
  readonly connectionId: string
  readonly kind: ConnectionKind
  readonly model: string
  /** Whether the engine provides the voice. It produces audio on this machine, at no cost. */
  readonly isVoiced?: boolean
}

export interface ModelUse {
  readonly account: UsageAccount
  readonly agentId: string
  readonly used: UsedModel
  /** The id of the usage within its session or turn. A repeated id is counted once. */
  readonly item: string
  readonly at: string
  /** The daily limit of the end user. Absent or null if there is none. */
  readonly dayLimit?: DayLimit | null
  /** Null if the provider does not report it. */
  readonly amount: UsedAmount | null
  readonly milliseconds: number
  readonly toolCalls: number
  /** Whether the turn begins with this usage. */
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

/** No usage at all. */
export const noUsage: UsageSums = {
  ...noTokens,
  sessions: 0,
  turns: 0,
  responses: 0,
  pricedResponses: 0,
  unknownResponses: 0,
  toolCalls: 0,
  milliseconds: 0,
  audioMilliseconds: 0,
  unpricedTokens: 0,
  unpricedMilliseconds: 0,
  cost: '0',
}

/** Returns the usage of a chat model, which consists of text tokens only. */
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
