import { apiAddress } from '@parley/contract'
import type { RelayIo } from '@parley/relay-socket'
import type { ProviderOutbound } from '../../ports/outbound.js'
import type { ProviderConnection, ProviderTarget, RealtimeProvider } from '../../ports/realtime-provider.js'
import type { Timers } from '../../ports/time.js'
import { openSocket } from '../openai-realtime/open-socket.js'
import { explainFailure } from '../outbound/explain-failure.js'
import { pinnedLookup } from '../outbound/pinned-lookup.js'
import { connectTranslated } from '../realtime-dialects/translated-socket.js'
import { GeminiDialect } from './gemini-dialect.js'

export interface GeminiOptions {
  readonly providerOutbound: ProviderOutbound
  readonly maxMessageBytes: number
  readonly relayIo: RelayIo
  readonly timers: Timers
}

/** Connects `google` connections to Gemini Live, and all others through `elsewhere`. */
export function withGeminiLive(elsewhere: RealtimeProvider, options: GeminiOptions): RealtimeProvider {
  const { timers } = options
  return {
    connect(target, opening, signal) {
      if (target.kind !== 'google') return elsewhere.connect(target, opening, signal)
      const startedAt = timers.monotonic()
      return connectTranslated(
        {
          timers,
          open: (ownSignal) => openGemini(target, options, ownSignal),
          makeDialect: (output) => new GeminiDialect(output, opening, startedAt),
        },
        signal,
      )
    },
  }
}

async function openGemini(
  target: ProviderTarget,
  { providerOutbound, maxMessageBytes: maxPayload, relayIo }: GeminiOptions,
  signal: AbortSignal,
): Promise<ProviderConnection> {
  const url = liveUrl(target)
  const outbound = providerOutbound.forConnection(target)
  try {
    const lookup = pinnedLookup(await outbound.resolve(url.origin.replace(/^http/, 'ws'), signal))
    const options = { lookup, autoSelectFamily: true, maxPayload, relayIo, secret: target.apiKey }
    return await openSocket(url.href, options, signal)
  } catch (error) {
    const detail = outbound.isFailure(error) ? error.detail : explainFailure(error, url.host)
    return { ok: false, reason: 'unreachable', detail }
  }
}

/** Returns the address of the Live API. The version of the API is the end of the connection's address. */
function liveUrl({ address, apiKey }: ProviderTarget): URL {
  const url = new URL(apiAddress('google', address))
  const [, path = '', version = ''] = /^(.*)\/([^/]+)$/.exec(url.pathname) ?? []
  url.pathname = `${path}/ws/google.ai.generativelanguage.${version}.GenerativeService.BidiGenerateContent`
  url.protocol = url.protocol === 'http:' ? 'ws:' : 'wss:'
  if (apiKey !== null) url.searchParams.set('key', apiKey)
  return url
}
