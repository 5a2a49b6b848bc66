import type { IncomingMessage } from 'node:http'
import { makeFrameSocket, type RelayIo, RelayWebSocket } from '@parley/relay-socket'
import type { ProviderOutbound } from '../../ports/outbound.js'
import type { ConnectionFailure, ProviderConnection, ProviderTarget } from '../../ports/realtime-provider.js'
import { explainFailure } from '../outbound/explain-failure.js'
import { pinnedLookup } from '../outbound/pinned-lookup.js'
import { concealerOf } from '../secret-redaction/conceal-secrets.js'
import { frameMask } from './frame-mask.js'

export interface SocketOptions {
  readonly lookup?: ReturnType<typeof pinnedLookup>
  readonly autoSelectFamily?: boolean
  readonly maxPayload: number
  readonly relayIo: RelayIo
  readonly headers?: Readonly<Record<string, string>>
  /** The connection's key, which close reasons must not contain. */
  readonly secret: string | null
  /** Called with the HTTP status if the provider refuses the handshake. */
  readonly onRefused?: (status: number) => void
  /** Called when the socket is closed or could not be opened. */
  readonly onClosed?: () => void
}

export interface GuardedSocketOptions
  extends Pick<SocketOptions, 'headers' | 'secret' | 'onRefused' | 'relayIo'> {
  readonly providerOutbound: ProviderOutbound
  readonly maxMessageBytes: number
}

/** Opens a socket to the server of a connection, if the outbound guard allows its address. Returns the reason if it fails. */
export async function openGuarded(
  url: URL,
  target: ProviderTarget,
  { providerOutbound, maxMessageBytes, relayIo, secret, headers, onRefused }: GuardedSocketOptions,
  signal: AbortSignal,
): Promise<ProviderConnection> {
  const outbound = providerOutbound.forConnection(target)
  try {
    // The rest of the URL may contain a key.
    const lookup = pinnedLookup(await outbound.resolve(url.origin, signal))
    const access = { secret, ...(headers && { headers }), ...(onRefused && { onRefused }) }
    const limits = { maxPayload: maxMessageBytes, relayIo }
    return await openSocket(url.href, { ...access, ...limits, lookup, autoSelectFamily: true }, signal)
  } catch (error) {
    const detail = outbound.isFailure(error) ? error.detail : explainFailure(error, url.host)
    return { ok: false, reason: 'unreachable', detail }
  }
}

/**
 * Opens a socket to a provider. The address must already be checked, or be our own. Rejects if there is no connection, and
 * returns why the provider refused it.
 */
export function openSocket(
  url: string,
  { onClosed = () => undefined, onRefused, relayIo, secret, ...options }: SocketOptions,
  signal: AbortSignal,
): Promise<ProviderConnection> {
  return new Promise((resolve, reject) => {
    const mask = frameMask(url)
    const socket = new RelayWebSocket(url, [], {
      ...options,
      ...mask,
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
        const fast = {
          connection,
          peer: 'server' as const,
          maxMessageBytes: options.maxPayload,
          usesZeroMask: mask.generateMask !== undefined,
        }
        const frames = makeFrameSocket(socket, {
          conceal: (reason) => concealSecret(reason, secret),
          fast: relayIo === 'ws' ? null : fast,
        })
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
      onRefused?.(status)
      resolve({ ok: false, reason: failureOf(status), detail: explainStatus(status) })
    })
  })
}

/**
 * The concealer is only created if there is a reason to conceal, because few sockets close with a reason and
 * creating it takes longer than connecting.
 */
function concealSecret(reason: string, secret: string | null): string {
  return reason === '' || secret === null ? reason : concealerOf([secret])(reason)
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
