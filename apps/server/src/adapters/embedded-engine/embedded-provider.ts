import type { RelayIo } from '@parley/relay-socket'
import type { EmbeddedEngine } from '../../ports/embedded-engine.js'
import type {
  ProviderConnection,
  ProviderOpening,
  ProviderTarget,
  RealtimeProvider,
} from '../../ports/realtime-provider.js'
import { openProviderSocket } from '../openai-realtime/realtime-provider.js'
import { ownerHeader, voicedModelHeader } from './thread-messages.js'

interface SocketOptions {
  readonly maxMessageBytes: number
  readonly relayIo: RelayIo
}

/** Connects `embedded` connections to the built-in engine, and all others through `elsewhere`. */
export function withEmbeddedProvider(
  engine: EmbeddedEngine,
  elsewhere: RealtimeProvider,
  options: SocketOptions,
): RealtimeProvider {
  return {
    async connect(target, opening, signal) {
      if (target.kind !== 'embedded') return elsewhere.connect(target, opening, signal)
      try {
        return await openEngineSocket(engine, { target, opening }, options, signal)
      } catch (error) {
        const reason = error instanceof Error ? error.message : 'no reason given'
        return {
          ok: false,
          reason: 'unreachable',
          detail: `The built-in engine could not be started: ${reason}`,
        }
      }
    },
  }
}

async function openEngineSocket(
  engine: EmbeddedEngine,
  { target, opening }: { readonly target: ProviderTarget; readonly opening: ProviderOpening },
  { maxMessageBytes, relayIo }: SocketOptions,
  signal: AbortSignal,
): Promise<ProviderConnection> {
  const { url, secret, voicedModelToken, release } = await engine.start(target.voicedModel)
  return openProviderSocket(
    `${url}?model=${encodeURIComponent(target.model)}`,
    { target: { ...target, apiKey: secret }, opening },
    {
      maxPayload: maxMessageBytes,
      relayIo,
      headers: {
        [ownerHeader]: target.organizationId,
        ...(voicedModelToken !== null && { [voicedModelHeader]: voicedModelToken }),
      },
      onClosed: release,
    },
    signal,
  )
}
