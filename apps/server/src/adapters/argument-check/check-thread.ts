import { Worker } from 'node:worker_threads'
import type { CheckMessage, CheckOrder, Fit } from './check-worker.js'

const maxHeapMegabytes = 128

export interface CheckThreadOptions {
  /**
   * The time limit for a check. It is generous because the thread has a low priority and may wait for a core.
   */
  readonly maxMilliseconds: number
  /** The program that the thread runs. */
  readonly program?: URL
  /** Loading the program takes a tenth of a second on an idle machine. */
  readonly maxStartMilliseconds?: number
}

const defaults = {
  program: new URL('./check-worker.js', import.meta.url),
  maxStartMilliseconds: 10_000,
}

/** A thread that checks the arguments of one call at a time. It is terminated and replaced if a check takes too long. */
export class CheckThread {
  readonly #options: Required<CheckThreadOptions>
  #worker: Promise<Worker | null> | null = null

  constructor(options: CheckThreadOptions) {
    this.#options = { ...defaults, ...options }
  }

  /**
   * Returns null if the check exceeds the thread's time or memory limit. Must not be called during a check.
   */
  async check(order: CheckOrder): Promise<Fit | null> {
    this.#worker ??= startWorker(this.#options)
    const worker = await this.#worker
    const fit = worker && (await fitFrom(worker, order, this.#options.maxMilliseconds))
    if (fit === null) await this.close()
    return fit
  }

  /** Terminates the thread. The next check starts a new one. */
  async close(): Promise<void> {
    const worker = this.#worker
    this.#worker = null
    await (await worker)?.terminate()
  }
}

/** Returns null if the thread ended or was not ready in time. */
async function startWorker({
  program,
  maxStartMilliseconds,
}: Required<CheckThreadOptions>): Promise<Worker | null> {
  const worker = new Worker(program, { resourceLimits: { maxOldGenerationSizeMb: maxHeapMegabytes } })
  // Callers wait for their checks, so the thread itself does not need to keep the process alive.
  worker.unref()
  // The thread exits after every error, and the exit is handled below.
  worker.on('error', () => undefined)
  if ((await messageFrom(worker, maxStartMilliseconds))?.type === 'ready') return worker
  await worker.terminate()
  return null
}

async function fitFrom(worker: Worker, order: CheckOrder, maxMilliseconds: number): Promise<Fit | null> {
  worker.postMessage(order)
  const message = await messageFrom(worker, maxMilliseconds)
  return message?.type === 'fit' ? message.fit : null
}

/** Returns the next message, or null if the thread exits or the timeout expires first. */
function messageFrom(worker: Worker, maxMilliseconds: number): Promise<CheckMessage | null> {
  return new Promise((resolve) => {
    const settle = (message: CheckMessage | null) => {
      clearTimeout(timer)
      worker.off('message', settle)
      worker.off('exit', onExit)
      resolve(message)
    }
    const onExit = () => settle(null)
    const timer = setTimeout(onExit, maxMilliseconds)
    worker.on('message', settle)
    worker.once('exit', onExit)
  })
}
