import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { done, failed, type Outcome, overloaded, unavailable } from '../runtime/outcome.js'
import { RoundRobinQueue } from './round-robin-queue.js'
import type { Order, Report } from './worker-message.js'

export interface WorkQueueOptions {
  /** The compiled worker script. */
  readonly file: URL
  readonly maxWaiting: number
  readonly workerData?: unknown
  /** Receives a log line when something is loaded. */
  readonly onProgress: (line: string) => void
  /** Called whenever a thread has finished loading. */
  readonly onReady?: () => void
  /** The work fails if the thread is silent for this long. Defaults to one minute. */
  readonly stallMilliseconds?: number
}

/** Much longer than loading a model or running any job takes. */
const defaultStallMilliseconds = 60_000
/** Each hung thread holds a model in memory, so at most this many are abandoned. */
const maxStalled = 2
const closeMilliseconds = 10_000

type Settle = (outcome: Outcome<unknown>) => void

interface Job {
  readonly input: unknown
  readonly settle: Settle
}

/** The thread has one running and one waiting job, so that it never idles. The others can still be reordered. */
const maxSent = 2

/**
 * A job queue for one thread, shared by all sessions. The thread starts with the first job and runs one at a time, taking
 * owners in turn. A full queue rejects immediately, so that no caller waits for a result that comes too late. The owner with
 * the most waiting jobs makes room for others. If a thread dies, its jobs fail and the next job starts a new thread. The
 * same happens if a thread stays silent while jobs wait.
 */
export class WorkQueue<Input, Value> {
  readonly #options: WorkQueueOptions
  readonly #waiting = new RoundRobinQueue<Job>()
  readonly #sent = new Map<number, Settle>()
  /** Hung threads that have not ended. */
  readonly #stalled = new Set<Worker>()
  #worker: Worker | null = null
  /** Fires if the thread is silent for too long. Null while no job waits. */
  #stallTimer: NodeJS.Timeout | null = null
  #unavailable: string | null = null
  #isClosed = false
  #lastId = 0

  constructor(options: WorkQueueOptions) {
    this.#options = options
  }

  get room(): number {
    return this.#options.maxWaiting - this.#waiting.size - this.#sent.size
  }

  get capacity(): number {
    return this.#options.maxWaiting
  }

  /** Loads the model in advance, so that the first job does not wait for it. */
  prepare(): void {
    if (!this.#isClosed && this.#unavailable === null && this.room > 0) this.#worker ??= this.#start()
  }

  /** `owner`: the owner of the job. Jobs without one share one owner. */
  run(input: Input, owner = ''): Promise<Outcome<Value>> {
    if (this.#isClosed) return Promise.resolve(failed('The engine is closed.'))
    if (this.#unavailable !== null) return Promise.resolve(unavailable(this.#unavailable))
    if (this.room <= 0) {
      const displaced = this.#waiting.makeRoomFor(owner)
      if (displaced === undefined) return Promise.resolve(overloaded)
      displaced.settle(overloaded)
    }
    return new Promise((resolve) => {
      this.#waiting.add(owner, { input, settle: (outcome) => resolve(outcome as Outcome<Value>) })
      this.#sendNext()
    })
  }

  /**
   * Lets the thread finish its current job. Terminating it would crash the process: the native runtime does not survive
   * being stopped in the middle of a call.
   */
  async close(): Promise<void> {
    this.#isClosed = true
    const worker = this.#worker
    this.#fail('The engine is closed.')
    if (worker === null) return
    const waited = new AbortController()
    worker.once('exit', () => waited.abort())
    worker.postMessage({ kind: 'end' } satisfies Order)
    // Rejects when the thread has ended, which is the expected outcome.
    await wait(closeMilliseconds, undefined, { signal: waited.signal }).catch(() => undefined)
  }

  #sendNext(): void {
    while (this.#sent.size < maxSent) {
      const job = this.#waiting.next()
      if (job === undefined) break
      this.#worker ??= this.#start()
      if (this.#worker === null) {
        job.settle(failed('The speech worker is not responding.'))
        continue
      }
      this.#lastId += 1
      this.#sent.set(this.#lastId, job.settle)
      this.#worker.postMessage({ kind: 'job', id: this.#lastId, input: job.input } satisfies Order)
    }
    this.#watchForStall()
  }

  #watchForStall(): void {
    if (this.#sent.size === 0) {
      if (this.#stallTimer !== null) clearTimeout(this.#stallTimer)
      this.#stallTimer = null
    } else this.#stallTimer ??= setTimeout(() => this.#leaveBehind(), this.#stallMilliseconds)
  }

  get #stallMilliseconds(): number {
    return this.#options.stallMilliseconds ?? defaultStallMilliseconds
  }

  /** Returns null if too many threads are already hung. */
  #start(): Worker | null {
    if (this.#stalled.size >= maxStalled) return null
    const worker = new Worker(this.#options.file, { workerData: this.#options.workerData })
    worker.on('message', (report: Report) => this.#receive(worker, report))
    worker.on('error', (error) => this.#end(worker, error.message))
    worker.on('exit', () => this.#end(worker, 'The worker thread ended.'))
    return worker
  }

  #receive(worker: Worker, report: Report): void {
    // Results of an abandoned thread are too late.
    if (worker !== this.#worker) return
    this.#stallTimer?.refresh()
    this.#handle(report)
  }

  /** Asks the thread to end, and does not terminate it for the reason given at `close`. It ends if it ever recovers. */
  #leaveBehind(): void {
    const worker = this.#worker
    if (worker === null) return
    const seconds = this.#stallMilliseconds / 1000
    this.#options.onProgress(`A thread did not respond for ${seconds} seconds and was replaced.`)
    this.#stalled.add(worker)
    worker.once('exit', () => this.#stalled.delete(worker))
    worker.postMessage({ kind: 'end' } satisfies Order)
    worker.unref()
    this.#end(worker, `It did not respond within ${seconds} seconds.`)
  }

  #handle(report: Report): void {
    switch (report.kind) {
      case 'progress':
        return this.#options.onProgress(report.text)
      case 'ready':
        return this.#options.onReady?.()
      case 'unavailable':
        this.#unavailable = report.message
        return this.#settleAll(unavailable(report.message))
      case 'result':
        return this.#settle(report.id, done(report.value))
      case 'failure':
        return this.#settle(report.id, failed(report.message))
    }
  }

  #end(worker: Worker, message: string): void {
    if (this.#worker !== worker) return
    this.#worker = null
    this.#fail(message)
  }

  #fail(message: string): void {
    this.#settleAll(failed(message))
  }

  #settleAll(outcome: Outcome<unknown>): void {
    const all = [...this.#sent.values(), ...this.#waiting.takeAll().map(({ settle }) => settle)]
    this.#sent.clear()
    this.#watchForStall()
    for (const settle of all) settle(outcome)
  }

  #settle(id: number, outcome: Outcome<unknown>): void {
    const settle = this.#sent.get(id)
    this.#sent.delete(id)
    this.#sendNext()
    settle?.(outcome)
  }
}
