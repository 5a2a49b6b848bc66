import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const sweepBytes = 1024 * 1024

type Collect = (options: { readonly type: 'minor' }) => void

/**
 * Sweeps up behind chunks. The driver copies each of them several times, outside the heap, and V8 does not look there
 * before some 60 MB have come together: a file of 20 MB would take 80. A sweep of the young takes a millisecond.
 */
export class ChunkGarbage {
  readonly #collect = findCollector()
  #bytes = 0

  /** A chunk of so many bytes came or went. */
  add(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes < sweepBytes) return
    this.#bytes = 0
    this.#collect?.({ type: 'minor' })
  }
}

/** The collector is shown to new contexts only, and only while a flag is up. */
function findCollector(): Collect | undefined {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('globalThis.gc')
  setFlagsFromString('--no-expose-gc')
  return typeof collect === 'function' ? (collect as Collect) : undefined
}
