import type { IncomingMessage } from 'node:http'
import type { ConnectionKind } from '@parley/contract'
import { makeFrameSocket, type RelayIo, RelayWebSocket } from '@parley/relay-socket'
import type { ProviderOutbound } from '../../ports/outbound.js'
import type {
  ConnectionFailure,
  ProviderConnection,
  ProviderOpening,
  ProviderTarget,
  RealtimeProvider,
} from '../../ports/realtime-provider.js'
import { explainFailure } from '../outbound/explain-failure.js'
import { pinnedLookup } from '../outbound/pinned-lookup.js'
import { concealerOf } from '../secret-redaction/conceal-secrets.js'
import type { Dialect } from './dialects/dialect.js'
import { DialectSocket } from './dialects/dialect-socket.js'
import { makeGrokVoice } from './dialects/grok-voice.js'
import { makeVoiceLive } from './dialects/voice-live.js'
import { frameMask } from './frame-mask.js'
import { keyHeaders, realtimeUrl } from './provider-address.js'

/** Providers that speak a dialect of OpenAI's protocol. */
const dialects: Readonly<Partial<Record<ConnectionKind, () => Dialect>>> = {
  xai: makeGrokVoice,
  'azure-voice-live': makeVoiceLive,
}

export interface ProviderOptions {
  readonly providerOutbound: ProviderOutbound
  readonly maxMessageBytes: number
  readonly relayIo: RelayIo
}

/** Connects to OpenAI, Azure OpenAI and compatible providers. */
export function makeRealtimeProvider({
  providerOutbound,
  maxMessageBytes,
  relayIo,
}: ProviderOptions): RealtimeProvider {
  return {
    async connect(target, opening, signal) {
      const url = realtimeUrl(target)
      const outbound = providerOutbound.forConnection(target)
      try {
        const addresses = await outbound.resolve(url, signal)
        return await openProviderSocket(
          url,
          { target, opening },
          { lookup: pinnedLookup(addresses), autoSelectFamily: true, maxPayload: maxMessageBytes, relayIo },
          signal,
        )
      } catch (error) {
        return {
          ok: false,
          reason: 'unreachable',
          detail: outbound.isFailure(error) ? error.detail : explainFailure(error, new URL(url).host),
        }
      }
    },
  }
}

/** Opens a socket to a provider and sends the opening. The address must already be checked, or be our own. */
export function openProviderSocket(
  url: string,
  { target, opening }: { readonly target: ProviderTarget; readonly opening: ProviderOpening },
  {
    onClosed = () => undefined,
    headers,
    relayIo,
    ...options
  }: {
    readonly lookup?: ReturnType<typeof pinnedLookup>
    readonly autoSelectFamily?: boolean
    readonly maxPayload: number
    readonly relayIo: RelayIo
    /** Sent in addition to the key. */
    readonly headers?: Readonly<Record<string, string>>
    /** Called when the socket is closed or could not be opened. */
    readonly onClosed?: () => void
  },
  signal: AbortSignal,
): Promise<ProviderConnection> {
  return new Promise((resolve, reject) => {
    const mask = frameMask(url)
    const socket = new RelayWebSocket(url, [], {
      ...options,
      ...mask,
      headers: { ...headers, ...keyHeaders(target) },
      perMessageDeflate: false,
      autoPong: false,
      followRedirects: false,
      skipUTF8Validation: true,
    })
    socket.once('close', onClosed)
    const cancel = () => socket.terminate()
    signal.addEventListener('abort', cancel, { once: true })
    const settle = () => {
      signal.removeEventListener('abort', cancel)
      socket.removeAllListeners('error')
      socket.on('error', () => undefined)
    }
    // The socket opens in the same tick, so no data after the handshake has been read yet.
    socket.once('upgrade', ({ socket: connection }: IncomingMessage) =>
      socket.once('open', () => {
        settle()
        const own = makeFrameSocket(socket, {
          conceal: (reason) => concealKey(reason, target.apiKey),
          fast:
            relayIo === 'ws'
              ? null
              : {
                  connection,
                  peer: 'server',
                  maxMessageBytes: options.maxPayload,
                  usesZeroMask: mask.generateMask !== undefined,
                },
        })
        const dialect = dialects[target.kind]?.()
        const frames = dialect === undefined ? own : new DialectSocket(own, dialect)
        for (const event of [opening.update, ...opening.items]) frames.send(JSON.stringify(event), false)
        resolve({ ok: true, socket: frames })
      }),
    )
    socket.once('error', (error) => {
      settle()
      reject(error)
    })
    socket.once('unexpected-response', (_request, response: IncomingMessage) => {
      settle()
      response.destroy()
      onClosed()
      const status = response.statusCode ?? 0
      resolve({ ok: false, reason: failureOf(status), detail: explainStatus(status) })
    })
  })
}

/**
 * The concealer is only created if there is a reason to conceal, because few sockets close with a reason and
 * creating it takes longer than connecting.
 */
function concealKey(reason: string, apiKey: string | null): string {
  return reason === '' || apiKey === null ? reason : concealerOf([apiKey])(reason)
}

function failureOf(status: number): ConnectionFailure {
  if (status === 429) return 'busy'
  return status >= 400 && status < 500 ? 'misconfigured' : 'refused'
}

function explainStatus(status: number): string {
  if (status === 401 || status === 403) return `The provider refused the connection's key (HTTP ${status}).`
  if (status === 404) return 'The provider has no realtime endpoint or model at this address (HTTP 404).'
  if (status === 429)
    return 'The provider refused the connection: its rate limit or quota is used up (HTTP 429).'
  return `The provider refused the connection (HTTP ${status}).`
}
