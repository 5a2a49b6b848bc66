import { apiAddress } from '@parley/contract'
import type { RelayIo } from '@parley/relay-socket'
import type { ProviderOutbound } from '../../ports/outbound.js'
import type { ProviderConnection, ProviderTarget, RealtimeProvider } from '../../ports/realtime-provider.js'
import type { Clock, Timers } from '../../ports/time.js'
import { openSocket } from '../openai-realtime/open-socket.js'
import { keyHeaders } from '../openai-realtime/provider-address.js'
import { explainFailure } from '../outbound/explain-failure.js'
import { pinnedLookup } from '../outbound/pinned-lookup.js'
import { connectTranslated } from '../realtime-dialects/translated-socket.js'
import { LiveDialect } from './live-dialect.js'

const path = '/live/sessions'

interface LiveProviderParts {
  readonly providerOutbound: ProviderOutbound
  readonly maxMessageBytes: number
  readonly relayIo: RelayIo
  readonly timers: Timers
  readonly clock: Clock
}

/** Connects sessions of GPT-Live, and all others through `elsewhere`. */
export function withGptLive(elsewhere: RealtimeProvider, parts: LiveProviderParts): RealtimeProvider {
  return {
    async connect(target, opening, signal) {
      const { backendModel } = target
      if (backendModel === null) return elsewhere.connect(target, opening, signal)
      const { timers, clock } = parts
      return connectTranslated(
        {
          timers,
          open: (openSignal) => open(parts, target, openSignal),
          makeDialect: (output) =>
            new LiveDialect({ opening, backendModel, output, wallTime: () => clock.now().getTime() }),
        },
        signal,
      )
    },
  }
}

async function open(
  { providerOutbound, maxMessageBytes, relayIo }: LiveProviderParts,
  target: ProviderTarget,
  signal: AbortSignal,
): Promise<ProviderConnection> {
  const url = new URL(`${apiAddress(target.kind, target.address)}${path}`)
  url.protocol = url.protocol === 'http:' ? 'ws:' : 'wss:'
  const outbound = providerOutbound.forConnection(target)
  try {
    const lookup = pinnedLookup(await outbound.resolve(url.href, signal))
    const options = { lookup, autoSelectFamily: true, maxPayload: maxMessageBytes, relayIo }
    return await openSocket(
      url.href,
      { ...options, headers: keyHeaders(target), secret: target.apiKey },
      signal,
    )
  } catch (error) {
    const detail = outbound.isFailure(error) ? error.detail : explainFailure(error, url.host)
    return { ok: false, reason: 'unreachable', detail }
  }
}
