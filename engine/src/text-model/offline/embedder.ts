import { WorkQueue } from '../../workers/work-queue.js'

/** Sentences as directions in a space in which like means near. */
export interface Embedder {
  /** Null where it cannot be told now: callers then go by the words alone. */
  embed(texts: readonly string[]): Promise<readonly (readonly number[])[] | null>
  prepare(): void
  close(): Promise<void>
}

/** Descriptions of tools come again with every question; sentences do not. */
const maxRemembered = 2000

const ownWorker = new URL('../../workers/embedding.worker.js', import.meta.url)

export function startEmbedder(
  maxWaiting: number,
  onProgress: (line: string) => void,
  file = ownWorker,
): Embedder {
  const queue = new WorkQueue<readonly string[], number[][]>({ file, maxWaiting, onProgress })

  /** A model that fails once is asked once more: without it the wrong thing might be understood. */
  async function ask(texts: readonly string[]): Promise<number[][] | null> {
    for (const isLast of [false, true]) {
      const result = await queue.run(texts)
      if (result.ok && result.value.every(isDirection)) return result.value
      if (!result.ok && result.kind !== 'failed') return null
      const reason = result.ok ? 'it gave no numbers.' : result.message
      onProgress(`The sentence model failed${isLast ? ' again' : ''}: ${reason}`)
    }
    return null
  }

  const remembered = new Map<string, readonly number[]>()
  return {
    async embed(texts) {
      // Before anything is counted on to be there.
      if (remembered.size > maxRemembered) remembered.clear()
      const unknown = [...new Set(texts)].filter((text) => !remembered.has(text))
      if (unknown.length > 0) {
        const vectors = await ask(unknown)
        if (vectors === null) return null
        for (const [index, text] of unknown.entries()) remembered.set(text, vectors[index] ?? [])
      }
      const vectors = texts.map((text) => remembered.get(text))
      return vectors.every((vector) => vector !== undefined) ? vectors : null
    },
    prepare: () => queue.prepare(),
    close: () => queue.close(),
  }
}

function isDirection(vector: readonly number[]): boolean {
  return vector.length > 0 && vector.every(Number.isFinite)
}

/** 1 for the same direction, 0 for nothing in common. */
export function likeness(a: readonly number[], b: readonly number[]): number {
  let product = 0
  let lengthA = 0
  let lengthB = 0
  for (let index = 0; index < a.length; index += 1) {
    const x = a[index] ?? 0
    const y = b[index] ?? 0
    product += x * y
    lengthA += x * x
    lengthB += y * y
  }
  return lengthA === 0 || lengthB === 0 ? 0 : product / Math.sqrt(lengthA * lengthB)
}
