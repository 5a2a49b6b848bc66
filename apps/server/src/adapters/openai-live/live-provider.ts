import { apiAddress } from '@parley/contract'
import type { RelayIo } from '@parley/relay-socket'
import type { ProviderOutbound } from '../../ports/outbound.js'
import type { ProviderTarget, RealtimeProvider } from '../../ports/realtime-provider.js'
import type { Clock, Timers } from '../../ports/time.js'
import { openGuarded } from '../openai-realtime/open-socket.js'
import { keyHeaders } from '../openai-realtime/provider-address.js'
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
      const access = { headers: keyHeaders(target), secret: target.apiKey }
      return connectTranslated(
        {
          timers,
          open: (openSignal) => openGuarded(liveUrl(target), target, { ...parts, ...access }, openSignal),
          makeDialect: (output) =>
            new LiveDialect({ opening, backendModel, output, wallTime: () => clock.now().getTime() }),
        },
        signal,
      )
    },
  }
}

function liveUrl({ kind, address }: ProviderTarget): URL {
  const url = new URL(`${apiAddress(kind, address)}${path}`)
  url.protocol = url.protocol === 'http:' ? 'ws:' : 'wss:'
  return url
}
