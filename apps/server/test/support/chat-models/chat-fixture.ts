import { expect } from 'vitest'
import { makeChatModels } from '#server/adapters/chat-models/chat-models.js'
import { makeGuardedFetch } from '#server/adapters/outbound/guarded-fetch.js'
import { makeOutbound } from '#server/adapters/outbound/outbound.js'
import { makeLog } from '#server/adapters/system/log.js'
import { systemTimers } from '#server/adapters/system/timers.js'
import type { ChatMessage, ChatStep, ChatStepRequest, ChatTarget } from '#server/ports/chat-model.js'
import { type ScriptedChatServer, startScriptedChatServer } from '../scripted-chat-server.js'
import { noAccessTokens } from './no-access-tokens.js'

export const apiKey = 'sk-a-key-that-nobody-may-see'

export const noUsage = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, cacheWriteTokens: 0 }

export const question: readonly ChatMessage[] = [
  { role: 'system', text: 'Be brief.' },
  { role: 'user', text: 'How are you?' },
]

/** If the provider has begun to answer, the usage is unknown. */
export const failure = (detail: string | RegExp, text = '') => ({
  ok: false,
  detail: typeof detail === 'string' ? detail : expect.stringMatching(detail),
  text,
  usage: text === '' ? expect.toBeOneOf([null, noUsage]) : null,
})

export interface ChatFixture {
  readonly provider: ScriptedChatServer
  /** The base URL of the provider for a connection of this kind. */
  targetOf(kind: ChatTarget['kind']): ChatTarget
  /** Runs one step, by default of kind openai. */
  step(request?: Partial<ChatStepRequest>): Promise<ChatStep>
  /** Returns the log lines since the last call. */
  takeLog(): string
  close(): Promise<void>
}

/** The real models behind the real guard, with a scripted provider. */
export async function startChatFixture(): Promise<ChatFixture> {
  const provider = await startScriptedChatServer()
  const log: string[] = []
  const outbound = makeOutbound({ allowedPrivateHosts: ['127.0.0.1'] })
  const limits = { timeoutMilliseconds: 60_000, maxResponseBytes: 1024 * 1024 }
  const models = makeChatModels({
    fetchFor: () => makeGuardedFetch(outbound, limits),
    accessTokens: noAccessTokens,
    log: makeLog('debug', false, { destination: { write: (line) => void log.push(line) } }),
    timers: systemTimers,
    firstRetryDelayMilliseconds: 5,
  })
  const targetOf = (kind: ChatTarget['kind']): ChatTarget => {
    const baseUrl = kind === 'azure-openai' ? provider.origin : provider.baseUrl
    const whose = { organizationId: 'an organization', connectionId: 'a connection' }
    return { ...whose, kind, baseUrl, apiKey, model: 'a-model', isFromEnvironment: false }
  }
  return {
    provider,
    targetOf,
    step: (request) =>
      models.step({
        target: targetOf('openai'),
        messages: question,
        tools: [],
        timeoutMilliseconds: 10_000,
        signal: new AbortController().signal,
        ...request,
      }),
    takeLog: () => log.splice(0).join('\n'),
    async close() {
      await provider.close()
      await outbound.close()
    },
  }
}
