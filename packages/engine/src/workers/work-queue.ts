import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { done, failed, type Outcome, overloaded, unavailable } from '../runtime/outcome.js'
import { FairQueue } from './fair-queue.js'
import type { Order, Report } from './worker-message.js'

export interface WorkQueueOptions {
  /** The worker's compiled file. */
  readonly file: URL
  readonly maxWaiting: number
  readonly workerData?: unknown
  /** Receives a line about what is being loaded. */
  readonly onProgress: (line: string) => void
  /** Called whenever a thread has loaded what it needs. */
  readonly onReady?: () => void
  /** After how much silence of the thread its work has failed; a minute where it is left out. */
  readonly stallMilliseconds?: number
}

/** Much longer than a model takes to load, or any piece of work to be done. */
const defaultStallMilliseconds = 60_000
/** Each thread that does not respond holds a model, so no more than these are left behind. */
const maxStalled = 2
const closeMilliseconds = 10_000

type Settle = (outcome: Outcome<unknown>) => void

interface Job {
  readonly input: unknown
  readonly settle: Settle
}

/** The thread has one at work and one at hand, so that it need not wait; the rest can still change places. */
const maxSent = 2

/**
 * Work for one thread, shared by all sessions. The thread starts with the first piece of work and takes one at a time,
 * of the owners in turn. A full queue refuses at once, so that nobody waits for a result that would come too late; but
 * whoever has the most waiting makes room for others. A thread that dies takes its work with it, and the next piece
 * starts another; so it is with one from which nothing comes while work waits.
 */
export class WorkQueue<Input, Value> {
  readonly #options: WorkQueueOptions
  readonly #waiting = new FairQueue<Job>()
  readonly #sent = new Map<number, Settle>()
  /** Threads that did not respond and have not ended. */
  readonly #stalled = new Set<Worker>()
  #worker: Worker | null = null
  /** Fires when the thread has said nothing for too long; null while nothing waits. */
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

  /** Loads what the work will need, so that the first piece does not wait for it. */
  prepare(): void {
    if (!this.#isClosed && this.#unavailable === null && this.room > 0) this.#worker ??= this.#start()
  }

  /** `owner`: for whom it is done; those who are not named are one. */
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
   * Lets the thread finish what it is at. To terminate it instead would take the whole process down: the native
   * runtime does not survive being stopped in the middle of a call.
   */
  async close(): Promise<void> {
    this.#isClosed = true
    const worker = this.#worker
    this.#fail('The engine is closed.')
    if (worker === null) return
    const waited = new AbortController()
    worker.once('exit', () => waited.abort())
    worker.postMessage({ kind: 'end' } satisfies Order)
    // Rejects when the thread has ended, which is what is waited for.
    await wait(closeMilliseconds, undefined, { signal: waited.signal }).catch(() => undefined)
  }

  #sendNext(): void {
    while (this.#sent.size < maxSent) {
      const job = this.#waiting.next()
      if (job === undefined) break
      this.#worker ??= this.#start()
      if (this.#worker === null) {
        job.settle(failed('Its threads do not respond.'))
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

  /** Null where too many do not respond already. */
  #start(): Worker | null {
    if (this.#stalled.size >= maxStalled) return null
    const worker = new Worker(this.#options.file, { workerData: this.#options.workerData })
    worker.on('message', (report: Report) => this.#receive(worker, report))
    worker.on('error', (error) => this.#end(worker, error.message))
    worker.on('exit', () => this.#end(worker, 'The worker thread ended.'))
    return worker
  }

  #receive(worker: Worker, report: Report): void {
    // What comes of a thread that was left behind comes too late.
    if (worker !== this.#worker) return
    this.#stallTimer?.refresh()
    this.#handle(report)
  }

  /** Asked to end and not terminated, for the reason that `close` gives; it ends if it ever comes back to itself. */
  #leaveBehind(): void {
    const worker = this.#worker
    if (worker === null) return
    const seconds = this.#stallMilliseconds / 1000
    this.#options.onProgress(
      `A thread has not responded for ${seconds} seconds; another one takes its place.`,
    )
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
