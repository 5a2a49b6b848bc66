import { Worker } from 'node:worker_threads'
import type { CheckMessage, CheckOrder } from './check-worker.js'
import type { Fit } from './fit-schema.js'
import { computedMilliseconds } from './thread-time.js'

const maxHeapMegabytes = 128
/** How long a check is waited for while the thread, on a busy machine, has not had its time. */
const maxWaitMilliseconds = 10_000
const minPauseMilliseconds = 50

export interface CheckThreadOptions {
  /** How long a check may compute. */
  readonly maxMilliseconds: number
  /** What the thread runs. */
  readonly program?: URL
  /** To load what it needs takes a tenth of a second, on a machine that has nothing else to do. */
  readonly maxStartMilliseconds?: number
}

const defaults = {
  program: new URL('./check-worker.js', import.meta.url),
  maxStartMilliseconds: 10_000,
}

interface ReadyWorker {
  readonly worker: Worker
  readonly threadNumber: number | null
}

/** A thread that checks one call's arguments after the other, and is ended and begun anew where one takes too long. */
export class CheckThread {
  readonly #options: Required<CheckThreadOptions>
  #worker: Promise<ReadyWorker | null> | null = null

  constructor(options: CheckThreadOptions) {
    this.#options = { ...defaults, ...options }
  }

  /** Null where the time, or the thread's memory, was not enough. One at a time. */
  async check(order: CheckOrder): Promise<Fit | null> {
    this.#worker ??= startWorker(this.#options)
    const ready = await this.#worker
    const fit = ready && (await fitFrom(ready, order, this.#options.maxMilliseconds))
    if (fit === null) await this.close()
    return fit
  }

  /** Ends the thread; the next check begins a new one. */
  async close(): Promise<void> {
    const worker = this.#worker
    this.#worker = null
    await (await worker)?.worker.terminate()
  }
}

/** Null where it ended before it was ready, or is not ready in time. */
function startWorker({
  program,
  maxStartMilliseconds,
}: Required<CheckThreadOptions>): Promise<ReadyWorker | null> {
  const worker = new Worker(program, { resourceLimits: { maxOldGenerationSizeMb: maxHeapMegabytes } })
  // Checks that are under way are waited for by their callers; the thread alone keeps no process.
  worker.unref()
  // Every error is followed by the end of the thread, which is what counts.
  worker.on('error', () => undefined)
  return new Promise((resolve) => {
    const timer = setTimeout(() => void worker.terminate(), maxStartMilliseconds)
    worker.once('message', (message: CheckMessage) => {
      clearTimeout(timer)
      resolve(message.type === 'ready' ? { worker, threadNumber: message.threadNumber } : null)
    })
    worker.once('exit', () => {
      clearTimeout(timer)
      resolve(null)
    })
  })
}

/** The bound is on what the thread computes: on a busy machine it may wait long for that, and nothing is wrong with it. */
function fitFrom(
  { worker, threadNumber }: ReadyWorker,
  order: CheckOrder,
  maxMilliseconds: number,
): Promise<Fit | null> {
  return new Promise((resolve) => {
    const begin = performance.now()
    const computedBefore = computedMilliseconds(threadNumber)
    const settle = (fit: Fit | null) => {
      clearTimeout(timer)
      worker.off('message', onMessage)
      worker.off('exit', onExit)
      resolve(fit)
    }
    const onMessage = (message: CheckMessage) => {
      if (message.type === 'fit') settle(message.fit)
    }
    const onExit = () => settle(null)
    const onTime = () => {
      const computed = computedMilliseconds(threadNumber)
      const left =
        computed === null || computedBefore === null ? 0 : maxMilliseconds - (computed - computedBefore)
      if (left <= 0 || performance.now() - begin > maxWaitMilliseconds) return settle(null)
      timer = setTimeout(onTime, Math.max(minPauseMilliseconds, left))
    }
    let timer = setTimeout(onTime, maxMilliseconds)
    worker.on('message', onMessage)
    worker.once('exit', onExit)
    worker.postMessage(order)
  })
}
