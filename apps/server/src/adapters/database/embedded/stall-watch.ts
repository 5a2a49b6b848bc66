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

const pollsPerLimit = 5

/**
 * Calls back when one statement has run for longer than the limit. The database can neither cancel a statement nor
 * time it out: it keeps its thread until it is done, and only another thread can see that it never will be.
 * Polls are counted and not time, of which a process that is paused does not notice how much passes.
 */
export function watchForStall(
  activity: Activity,
  limitMilliseconds: number,
  onStall: () => void,
): () => void {
  let lastCount = activity.count
  let unchangedPolls = 0
  const timer = setInterval(() => {
    const count = activity.count
    unchangedPolls = count === lastCount && count % 2 !== 0 ? unchangedPolls + 1 : 0
    lastCount = count
    if (unchangedPolls === pollsPerLimit) onStall()
  }, limitMilliseconds / pollsPerLimit)
  timer.unref()
  return () => clearInterval(timer)
}
