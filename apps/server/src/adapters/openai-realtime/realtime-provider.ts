import type { ConnectionKind } from '@parley/contract'
import type { FrameSocket, RelayIo } from '@parley/relay-socket'
import { BoundedMap } from '../../concurrency/bounded-map.js'
import type { ProviderOutbound } from '../../ports/outbound.js'
import type {
  ProviderConnection,
  ProviderOpening,
  ProviderTarget,
  RealtimeProvider,
} from '../../ports/realtime-provider.js'
import { DetectingSocket } from './dialects/beta-detection.js'
import { makeBetaNames } from './dialects/beta-names.js'
import type { Dialect } from './dialects/dialect.js'
import { DialectSocket } from './dialects/dialect-socket.js'
import { makeGrokVoice } from './dialects/grok-voice.js'
import { makeQwenOmni } from './dialects/qwen-omni.js'
import { makeVoiceLive } from './dialects/voice-live.js'
import { openGuarded, openSocket, type SocketOptions } from './open-socket.js'
import { keyHeaders, realtimeUrl } from './provider-address.js'

/** The oldest addresses are detected again beyond this number. */
const maxBetaServers = 100

/** Providers that speak a dialect of OpenAI's protocol. */
const dialects: Readonly<Partial<Record<ConnectionKind, () => Dialect>>> = {
  xai: makeGrokVoice,
  qwen: makeQwenOmni,
  'azure-voice-live': makeVoiceLive,
}

export interface ProviderOptions {
  readonly providerOutbound: ProviderOutbound
  readonly maxMessageBytes: number
  readonly relayIo: RelayIo
}

/** Connects to OpenAI, Azure OpenAI and compatible providers. */
export function makeRealtimeProvider(options: ProviderOptions): RealtimeProvider {
  /** Addresses of compatible servers that speak the names of OpenAI's beta. */
  const betaServers = new BoundedMap<string, true>(maxBetaServers)

  function inDialect({ kind, address }: ProviderTarget, socket: FrameSocket, openAgain: Open): FrameSocket {
    const isBeta = kind === 'openai-compatible' && betaServers.has(address)
    const makeDialect = isBeta ? makeBetaNames : dialects[kind]
    if (makeDialect !== undefined) return new DialectSocket(socket, makeDialect())
    if (kind !== 'openai-compatible') return socket
    return new DetectingSocket(socket, async (signal) => {
      betaServers.set(address, true)
      const found = await openAgain(signal)
      return found.ok ? { ok: true, socket: new DialectSocket(found.socket, makeBetaNames()) } : found
    })
  }

  return {
    async connect(target, opening, signal) {
      const url = new URL(realtimeUrl(target))
      const access = { headers: keyHeaders(target), secret: target.apiKey }
      const open: Open = (openSignal) => openGuarded(url, target, { ...options, ...access }, openSignal)
      const found = await open(signal)
      return found.ok ? withOpening(inDialect(target, found.socket, open), opening) : found
    },
  }
}

type Open = (signal: AbortSignal) => Promise<ProviderConnection>

/** Opens a socket to a server of our own and sends the opening. */
export async function openProviderSocket(
  url: string,
  { target, opening }: { readonly target: ProviderTarget; readonly opening: ProviderOpening },
  { headers, ...options }: Omit<SocketOptions, 'secret'>,
  signal: AbortSignal,
): Promise<ProviderConnection> {
  const socketOptions = { ...options, headers: { ...headers, ...keyHeaders(target) }, secret: target.apiKey }
  const found = await openSocket(url, socketOptions, signal)
  return found.ok ? withOpening(found.socket, opening) : found
}

/** Sends the first events of a session. */
export function withOpening(socket: FrameSocket, { update, items }: ProviderOpening): ProviderConnection {
  for (const event of [update, ...items]) socket.send(JSON.stringify(event), false)
  return { ok: true, socket }
}
