import type { startEmbedder } from '@parley/engine'
import type { Meaning } from '../adapters/agent-tests/agent-test-engine.js'

const maxWaiting = 64

/** Opens the built-in sentence model. It starts on first use. */
export function openMeaning(): Meaning {
  let embedder: ReturnType<typeof startEmbedder> | undefined
  return {
    async likeness(texts, wanted) {
      const engine = await import('@parley/engine')
      embedder ??= engine.startEmbedder({ maxWaiting, onProgress: () => undefined })
      const vectors = await embedder.embed([wanted, ...texts])
      const [goal, ...others] = vectors ?? []
      return goal === undefined ? null : others.map((vector) => engine.likeness(vector, goal))
    },
    async close() {
      await embedder?.close()
    },
  }
}
