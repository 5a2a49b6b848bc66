import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const collectBytes = 1024 * 1024

type Collect = (options: { readonly type: 'minor' }) => void

/**
 * Collects what chunks leave behind. The driver copies each of them several times, outside the heap, and V8 does not
 * count that before some 60 MB have come together. In test/scenarios/files/memory.long.test.ts a text of 20 MB takes about
 * 8 MiB on the embedded database and 21 on PostgreSQL; without this it takes 35 and 43, and a PDF 60, which is the
 * limit. A minor collection takes a millisecond.
 */
export class ChunkGarbage {
  readonly #collect = findCollector()
  #bytes = 0

  /** A chunk of so many bytes was written or read. */
  add(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes < collectBytes) return
    this.#bytes = 0
    this.#collect?.({ type: 'minor' })
  }
}

/** Only a new context has the collector, and only while the flag is set. */
function findCollector(): Collect | undefined {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('globalThis.gc')
  setFlagsFromString('--no-expose-gc')
  return typeof collect === 'function' ? (collect as Collect) : undefined
}
