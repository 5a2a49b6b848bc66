import { connectionAddress } from '@parley/contract'
import { chooseRelayIo, type RelayIo } from '@parley/relay-socket'
import { makeChatModels } from '../adapters/chat-models/chat-models.js'
import { traceChatModels } from '../adapters/chat-models/traced-chat-models.js'
import { withEmbeddedChat } from '../adapters/embedded-engine/embedded-chat.js'
import { makeEmbeddedEngine } from '../adapters/embedded-engine/embedded-engine.js'
import { withEmbeddedProvider } from '../adapters/embedded-engine/embedded-provider.js'
import { withGeminiLive } from '../adapters/gemini-live/gemini-provider.js'
import { withGptLive } from '../adapters/openai-live/live-provider.js'
import { makeRealtimeProvider } from '../adapters/openai-realtime/realtime-provider.js'
import { makeGuardedFetch } from '../adapters/outbound/guarded-fetch.js'
import { systemClock } from '../adapters/system/clock.js'
import type { Config } from '../config/config.js'
import type { AccessTokens } from '../ports/access-tokens.js'
import type { ChatModels, ChatTarget } from '../ports/chat-model.js'
import type { Log } from '../ports/log.js'
import type { ProviderOutbound } from '../ports/outbound.js'
import type { RealtimeProvider } from '../ports/realtime-provider.js'
import type { Timers } from '../ports/time.js'
import type { Tracing } from '../ports/tracing.js'

/** The timeout for models, which may answer slowly and at length. */
const modelLimits = { timeoutMilliseconds: 10 * 60_000, maxResponseBytes: 32 * 1024 * 1024 } as const

export interface ComposedModels {
  /** Chat models for every kind of connection. */
  readonly chat: ChatModels
  /** Realtime models for every kind of connection. */
  readonly realtime: RealtimeProvider
  /** How the relay reads and writes the sockets of providers and clients. */
  readonly relayIo: RelayIo
  /** Speaks an English sentence with the built-in voice, as samples at 8000 Hz. */
  speak(text: string): Promise<Int16Array>
  isEngineRunning(): boolean
  close(): Promise<void>
}

/**
 * Composes chat models and realtime models. The built-in engine is one of each, and can also provide speech
 * for the other chat models.
 */
export async function composeModels(options: {
  readonly config: Config
  readonly providerOutbound: ProviderOutbound
  readonly accessTokens: AccessTokens
  readonly log: Log
  readonly timers: Timers
  readonly tracing: Tracing
}): Promise<ComposedModels> {
  const { config, providerOutbound, accessTokens, log, timers, tracing } = options
  const relayIo = await composeRelayIo(config, log)
  const maxMessageBytes = config.realtime.providerMaxMessageBytes
  const fetchFor = (target: ChatTarget) =>
    makeGuardedFetch(
      providerOutbound.forConnection({ ...target, address: connectionAddress(target) }),
      modelLimits,
    )
  const chatElsewhere = makeChatModels({ fetchFor, accessTokens, log, timers })
  const socketOptions = { providerOutbound, maxMessageBytes, relayIo }
  const translatedOptions = { ...socketOptions, accessTokens, timers, clock: systemClock }
  const openai = withGptLive(makeRealtimeProvider(socketOptions), translatedOptions)
  const realtimeElsewhere = withGeminiLive(openai, translatedOptions)
  const engine = makeEmbeddedEngine(log, chatElsewhere)
  return {
    chat: traceChatModels(tracing, withEmbeddedChat({ engine, elsewhere: chatElsewhere, timers })),
    realtime: withEmbeddedProvider(engine, realtimeElsewhere, { maxMessageBytes, relayIo }),
    relayIo,
    speak: (text) => engine.speak(text),
    isEngineRunning: () => engine.isRunning(),
    close: () => engine.close(),
  }
}

/** Chooses how the relay reads and writes sockets. Logs the reason if it is not the configured way. */
async function composeRelayIo({ relayIo }: Config, log: Log): Promise<RelayIo> {
  const { io, reason } = await chooseRelayIo(relayIo)
  if (reason !== null) log.warn({ reason }, 'the relay uses plain ws')
  return io
}
