import { Worker } from 'node:worker_threads'
import type { CheckMessage, CheckOrder } from './check-worker.js'
import type { Fit } from './fit-schema.js'

const program = new URL('./check-worker.js', import.meta.url)
const maxHeapMegabytes = 128
/** To load what it needs takes a tenth of a second, on a machine that has nothing else to do. */
const maxStartMilliseconds = 10_000

/** A thread that checks one call's arguments after the other, and is ended and begun anew where one takes too long. */
export class CheckThread {
  readonly #maxMilliseconds: number
  #worker: Promise<Worker | null> | null = null

  constructor(maxMilliseconds: number) {
    this.#maxMilliseconds = maxMilliseconds
  }

  /** Null where the time, or the thread's memory, was not enough. One at a time. */
  async check(order: CheckOrder): Promise<Fit | null> {
    this.#worker ??= startWorker()
    const worker = await this.#worker
    const fit = worker && (await fitFrom(worker, order, this.#maxMilliseconds))
    if (fit === null) await this.close()
    return fit
  }

  /** Ends the thread; the next check begins a new one. */
  async close(): Promise<void> {
    const worker = this.#worker
    this.#worker = null
    await (await worker)?.terminate()
  }
}

/** Null where it ended before it was ready, or is not ready in time. */
function startWorker(): Promise<Worker | null> {
  const worker = new Worker(program, { resourceLimits: { maxOldGenerationSizeMb: maxHeapMegabytes } })
  // Checks that are under way are waited for by their callers; the thread alone keeps no process.
  worker.unref()
  // Every error is followed by the end of the thread, which is what counts.
  worker.on('error', () => undefined)
  return new Promise((resolve) => {
    const timer = setTimeout(() => void worker.terminate(), maxStartMilliseconds)
    worker.once('message', () => {
      clearTimeout(timer)
      resolve(worker)
    })
    worker.once('exit', () => {
      clearTimeout(timer)
      resolve(null)
    })
  })
}

function fitFrom(worker: Worker, order: CheckOrder, maxMilliseconds: number): Promise<Fit | null> {
  return new Promise((resolve) => {
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
    const timer = setTimeout(onExit, maxMilliseconds)
    worker.on('message', onMessage)
    worker.once('exit', onExit)
    worker.postMessage(order)
  })
}
