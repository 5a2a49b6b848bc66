import { type ChatModels, noUsage } from '../../ports/chat-model.js'
import type { EmbeddedEngine } from '../../ports/embedded-engine.js'
import type { Timers } from '../../ports/time.js'

export interface EmbeddedChatDependencies {
  readonly engine: Pick<EmbeddedEngine, 'runDemoStep'>
  /** Serves the models of all other kinds of connections. */
  readonly elsewhere: ChatModels
  readonly timers: Timers
}

/** Runs steps of the demo model for connections of kind `embedded`, and all others through `elsewhere`. */
export function withEmbeddedChat({ engine, elsewhere, timers }: EmbeddedChatDependencies): ChatModels {
  return {
    async step(request) {
      const { target, messages, tools, responseSchema = null, timeoutMilliseconds } = request
      if (target.kind !== 'embedded') return elsewhere.step(request)
      try {
        const { organizationId } = target
        const step = engine.runDemoStep({ organizationId, messages, tools, responseSchema })
        const inTime = await timers.within(timeoutMilliseconds, step)
        if (!inTime.ok) throw new Error(`it did not respond within ${timeoutMilliseconds / 1000} seconds.`)
        const { text, calls } = inTime.value
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
