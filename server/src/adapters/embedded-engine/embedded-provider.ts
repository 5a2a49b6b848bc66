import type { EmbeddedEngine } from '../../ports/embedded-engine.js'
import type { RealtimeProvider } from '../../ports/realtime-provider.js'
import { openProviderSocket } from '../openai-realtime/realtime-provider.js'

/** Speaks to the built-in engine where a connection is of that kind, and to the others through `elsewhere`. */
export function withEmbeddedProvider(
  engine: EmbeddedEngine,
  elsewhere: RealtimeProvider,
  maxMessageBytes: number,
): RealtimeProvider {
  return {
    async connect(target, signal) {
      if (target.kind !== 'embedded') return elsewhere.connect(target, signal)
      try {
        const { url, secret } = await engine.start()
        const address = `${url}?model=${encodeURIComponent(target.model)}`
        return await openProviderSocket(
          address,
          { ...target, apiKey: secret },
          { maxPayload: maxMessageBytes },
          signal,
        )
      } catch (error) {
        const reason = error instanceof Error ? error.message : 'no reason given'
        return { outcome: 'unreachable', detail: `The built-in engine could not be started: ${reason}` }
      }
    },
  }
}
