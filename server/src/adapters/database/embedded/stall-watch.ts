/** Statements begun and ended, counted in memory that both threads see: an odd number while one runs. */
export class Activity {
  readonly memory: SharedArrayBuffer
  readonly #count: Int32Array

  constructor(memory = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory
    this.#count = new Int32Array(memory)
  }

  get count(): number {
    return Atomics.load(this.#count, 0)
  }

  async during<T>(statement: () => Promise<T>): Promise<T> {
    Atomics.add(this.#count, 0, 1)
    try {
      return await statement()
    } finally {
      Atomics.add(this.#count, 0, 1)
    }
  }
}

const looksPerLimit = 5

/**
 * Tells when one statement has run for longer than the limit. The database can be told neither to give up nor to
 * time out: it holds its thread until it is done, and only another thread can see that it never will be.
 * It counts looks and not time, of which a process that is paused does not notice how much passes.
 */
export function watchForStall(
  activity: Activity,
  limitMilliseconds: number,
  onStall: () => void,
): () => void {
  let lastCount = activity.count
  let looks = 0
  const timer = setInterval(() => {
    const count = activity.count
    looks = count === lastCount && count % 2 !== 0 ? looks + 1 : 0
    lastCount = count
    if (looks === looksPerLimit) onStall()
  }, limitMilliseconds / looksPerLimit)
  timer.unref()
  return () => clearInterval(timer)
}
