/** Counts the starts and ends of statements in memory that both threads see. The count is odd while one runs. */
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
 * Calls back when one statement has run for longer than the limit. PGlite can neither cancel a statement nor time it out. The
 * statement blocks its thread, so only another thread can see that it does not end.
 * It counts polls instead of time, because a paused process does not notice how much time passes.
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
