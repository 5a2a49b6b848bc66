import { WorkQueue } from '../workers/work-queue.js'

/** Turns sentences into vectors. Sentences of similar meaning point in similar directions. */
export interface Embedder {
  /** Returns one vector for each text, or null if the sentence model fails. */
  embed(texts: readonly string[], owner?: string): Promise<readonly (readonly number[])[] | null>
  close(): Promise<void>
}

const maxCachedTexts = 2000
/** The time for a text grows faster than its length, and its beginning shows its subject. */
const maxTextCharacters = 1000
/** Limits of one job, so that other callers do not wait long for the thread. */
const maxTextsPerJob = 8
const maxCharactersPerJob = 2000

const ownWorker = new URL('./embedding.worker.js', import.meta.url)

export interface EmbedderOptions {
  /** Jobs that may wait. */
  readonly maxWaiting: number
  readonly onProgress: (line: string) => void
  readonly file?: URL
}

/** Starts the sentence model in a worker thread. The model is loaded with the first job. */
export function startEmbedder({ maxWaiting, onProgress, file = ownWorker }: EmbedderOptions): Embedder {
  const queue = new WorkQueue<readonly string[], number[][]>({ file, maxWaiting, onProgress })
  const cache = new Map<string, readonly number[]>()

  /** Runs one job, with two retries if the model fails. */
  async function run(texts: readonly string[], owner: string | undefined): Promise<number[][] | null> {
    for (const isRetry of [false, true, true]) {
      const result = await queue.run(texts, owner)
      if (result.ok && result.value.every(isVector)) return result.value
      if (!result.ok && result.kind !== 'failed') return null
      const reason = result.ok ? 'it gave no numbers.' : result.message
      onProgress(`The sentence model failed${isRetry ? ' again' : ''}: ${reason}`)
    }
    return null
  }

  /** Caches the most recently used texts. */
  function store(text: string, vector: readonly number[]): void {
    cache.delete(text)
    cache.set(text, vector)
    const [oldest] = cache.keys()
    if (cache.size > maxCachedTexts && oldest !== undefined) cache.delete(oldest)
  }

  return {
    async embed(given, owner) {
      const texts = given.map((text) => text.slice(0, maxTextCharacters))
      // A copy, since other calls may drop entries of the cache in the meantime.
      const found = new Map(texts.map((text) => [text, cache.get(text)]))
      const unknown = [...found.keys()].filter((text) => found.get(text) === undefined)
      for (const batch of inBatches(unknown)) {
        const vectors = await run(batch, owner)
        if (vectors === null) return null
        for (const [index, text] of batch.entries()) found.set(text, vectors[index] ?? [])
      }
      for (const [text, vector] of found) if (vector !== undefined) store(text, vector)
      const vectors = texts.map((text) => found.get(text))
      return vectors.every((vector) => vector !== undefined) ? vectors : null
    },
    close: () => queue.close(),
  }
}

function* inBatches(texts: readonly string[]): Generator<readonly string[]> {
  let batch: string[] = []
  let characters = 0
  for (const text of texts) {
    if (
      batch.length === maxTextsPerJob ||
      (batch.length > 0 && characters + text.length > maxCharactersPerJob)
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

function isVector(vector: readonly number[]): boolean {
  return vector.length > 0 && vector.every(Number.isFinite)
}

/** Returns the cosine similarity of two vectors: 1 for the same direction, 0 for nothing in common. */
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
