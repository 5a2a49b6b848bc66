import { type ChatModels, noUsage } from '../../ports/chat-model.js'
import type { EmbeddedEngine } from '../../ports/embedded-engine.js'

/** Steps of the engine's offline model where a connection is of that kind, and of the others through `elsewhere`. */
export function withEmbeddedChat(engine: EmbeddedEngine, elsewhere: ChatModels): ChatModels {
  return {
    async step(request) {
      if (request.target.kind !== 'embedded') return elsewhere.step(request)
      try {
        const { target, messages, tools } = request
        const { organizationId } = target
        const { text, calls } = await engine.runOfflineStep({ organizationId, messages, tools })
        if (text !== '') request.onText?.(text)
        return { ok: true, text, calls, usage: noUsage, isCutOff: false }
      } catch (error) {
        const reason = error instanceof Error ? error.message : 'no reason given'
        return {
          ok: false,
          detail: `The built-in model could not answer: ${reason}`,
          text: '',
          usage: noUsage,
        }
      }
    },
  }
}
