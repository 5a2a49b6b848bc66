import { WorkQueue } from '../../workers/work-queue.js'

/** Sentences as directions in a space in which like means near. */
export interface Embedder {
  /** Null where it cannot be told now: callers then go by the words alone. */
  embed(texts: readonly string[], owner?: string): Promise<readonly (readonly number[])[] | null>
  prepare(): void
  close(): Promise<void>
}

/** Descriptions of tools come again with every question; sentences do not. */
const maxRemembered = 2000
/** What a sentence is about shows in its beginning, and a longer text takes longer than in proportion. */
const maxTextCharacters = 1000
/** A piece of work for the one thread that all sessions share; what is more goes behind what others wait for. */
const maxTextsTogether = 8
const maxCharactersTogether = 2000

const ownWorker = new URL('../../workers/embedding.worker.js', import.meta.url)

export interface EmbedderOptions {
  readonly maxWaiting: number
  readonly onProgress: (line: string) => void
  /** What need not be worked out, and is never forgotten. */
  readonly known?: ReadonlyMap<string, readonly number[]>
  /** The worker. */
  readonly file?: URL
}

export function startEmbedder({
  maxWaiting,
  onProgress,
  known = new Map(),
  file = ownWorker,
}: EmbedderOptions): Embedder {
  const queue = new WorkQueue<readonly string[], number[][]>({ file, maxWaiting, onProgress })

  /** A model that fails is asked twice more: without it the wrong thing might be understood. */
  async function ask(texts: readonly string[], owner: string | undefined): Promise<number[][] | null> {
    for (const isAgain of [false, true, true]) {
      const result = await queue.run(texts, owner)
      if (result.ok && result.value.every(isDirection)) return result.value
      if (!result.ok && result.kind !== 'failed') return null
      const reason = result.ok ? 'it gave no numbers.' : result.message
      onProgress(`The sentence model failed${isAgain ? ' again' : ''}: ${reason}`)
    }
    return null
  }

  const remembered = new Map<string, readonly number[]>()

  /** What is used again and again stays; what was used longest ago is forgotten first. */
  function remember(text: string, vector: readonly number[]): void {
    remembered.delete(text)
    remembered.set(text, vector)
    const [oldest] = remembered.keys()
    if (remembered.size > maxRemembered && oldest !== undefined) remembered.delete(oldest)
  }

  return {
    async embed(given, owner) {
      const texts = given.map((text) => text.slice(0, maxTextCharacters))
      // Apart from what is remembered: others may forget that meanwhile.
      const found = new Map(texts.map((text) => [text, known.get(text) ?? remembered.get(text)]))
      const unknown = [...found.keys()].filter((text) => found.get(text) === undefined)
      for (const batch of inBatches(unknown)) {
        const vectors = await ask(batch, owner)
        if (vectors === null) return null
        for (const [index, text] of batch.entries()) found.set(text, vectors[index] ?? [])
      }
      for (const [text, vector] of found) if (vector !== undefined && !known.has(text)) remember(text, vector)
      const vectors = texts.map((text) => found.get(text))
      return vectors.every((vector) => vector !== undefined) ? vectors : null
    },
    prepare: () => queue.prepare(),
    close: () => queue.close(),
  }
}

function* inBatches(texts: readonly string[]): Generator<readonly string[]> {
  let batch: string[] = []
  let characters = 0
  for (const text of texts) {
    if (
      batch.length === maxTextsTogether ||
      (batch.length > 0 && characters + text.length > maxCharactersTogether)
    ) {
      yield batch
      batch = []
      characters = 0
    }
    batch.push(text)
    characters += text.length
  }
  if (batch.length > 0) yield batch
}

function isDirection(vector: readonly number[]): boolean {
  return vector.length > 0 && vector.every(Number.isFinite)
}

/** What the likeness of sentences is taken to be where it cannot be measured: many words in common do then. */
export const assumedLikeness = 0.35

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
