import { randomUUID } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { warn } from './contain.js'
import type { Leg, LegListener } from './leg.js'
import type { Line, LineListener } from './line.js'
import type { DialOptions, LineOptions } from './line-options.js'
import { type Commands, RemoteLeg } from './remote-leg.js'
import type { Answer, Order, Question, Report } from './worker-messages.js'

export interface Telephone {
  /** Opens a line. Rejects if its server's address is unknown or its port is taken. */
  openLine(options: LineOptions, listener: LineListener): Promise<Line>
  /** Closes all lines, then the thread. */
  close(): Promise<void>
}

/** Starts the worker thread. `failed` is called if it ends with an error: all its calls have ended then. */
export function startTelephone(failed: (error: Error) => void): Telephone {
  return new WorkerTelephone(failed)
}

class WorkerTelephone implements Telephone {
  readonly #worker = new Worker(new URL('./worker.js', import.meta.url), { name: 'telephone' })
  readonly #lines = new Map<string, LineListener>()
  readonly #legs = new Map<string, RemoteLeg>()
  /** The questions that the thread has not answered, by their number. */
  readonly #waiting = new Map<number, { resolve(value: Answer): void; reject(error: Error): void }>()
  #lastNumber = 0
  #failure: Error | null = null

  constructor(failed: (error: Error) => void) {
    this.#worker.on('message', (report: Report) => this.#receive(report))
    this.#worker.on('error', (error) => {
      this.#fail(error instanceof Error ? error : new Error(String(error)))
      failed(this.#failure ?? error)
    })
  }

  async openLine(options: LineOptions, listener: LineListener): Promise<Line> {
    const line = randomUUID()
    this.#lines.set(line, listener)
    try {
      await this.#ask({ kind: 'open', line, options })
    } catch (error) {
      this.#lines.delete(line)
      throw error
    }
    return {
      dial: (dialling, legListener) => this.#dial(line, dialling, legListener),
      drain: async () => void (await this.#ask({ kind: 'drain', line })),
      close: () => this.#closeLine(line),
    }
  }

  async close(): Promise<void> {
    if (this.#failure === null)
      await Promise.all([...this.#lines.keys()].map((line) => this.#closeLine(line)))
    this.#fail(new Error('The telephone is closed.'))
    await this.#worker.terminate()
  }

  async #closeLine(line: string): Promise<void> {
    if (!this.#lines.has(line) || this.#failure) return
    await this.#ask({ kind: 'close', line })
    this.#lines.delete(line)
  }

  #dial(line: string, options: DialOptions, listener: LegListener): Leg {
    const id = randomUUID()
    const { from = '', to } = options
    const leg = new RemoteLeg({ id, direction: 'out', from, to, codec: 'g711_ulaw' }, this.#commands)
    leg.listen(listener)
    this.#legs.set(id, leg)
    if (this.#failure) queueMicrotask(() => this.#end(leg))
    else this.#order({ kind: 'dial', line, leg: id, options })
    return leg
  }

  #receive(report: Report): void {
    switch (report.kind) {
      case 'locate':
        return void this.#locate(report.line)
      case 'registration':
        return this.#lines.get(report.line)?.registration(report.state)
      case 'called':
        return this.#called(report)
      case 'event': {
        const leg = this.#legs.get(report.leg)
        if (report.event.kind === 'ended') this.#legs.delete(report.leg)
        return leg?.receive(report.event)
      }
      case 'answer':
        return this.#settle(report)
    }
  }

  #called({ line, leg: description }: Extract<Report, { kind: 'called' }>): void {
    const leg = new RemoteLeg(description, this.#commands)
    const listener = this.#lines.get(line)
    this.#legs.set(leg.id, leg)
    if (listener) leg.listen(listener.called(leg))
  }

  async #locate(line: string): Promise<void> {
    const found = this.#lines.get(line)?.locate() ?? Promise.resolve([])
    const addresses = await found.catch((error: unknown) => {
      warn(error)
      return []
    })
    this.#order({ kind: 'located', line, addresses })
  }

  readonly #commands: Commands = {
    send: (leg, command, moved = []) => this.#order({ kind: 'command', leg, command }, moved),
    ask: (leg, command) => this.#ask({ kind: 'command', leg, command }),
  }

  #order(order: Order, moved: ArrayBuffer[] = []): void {
    if (this.#failure === null) this.#worker.postMessage(order, moved)
  }

  /** Rejects if the thread reports a failure, or fails before it answers. */
  #ask<Value extends Answer>(question: Question): Promise<Value> {
    if (this.#failure) return Promise.reject(this.#failure)
    this.#lastNumber += 1
    const number = this.#lastNumber
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve: resolve as (value: Answer) => void, reject })
      this.#order({ kind: 'ask', number, question })
    })
  }

  #settle({ number, value, failure }: Extract<Report, { kind: 'answer' }>): void {
    const waiting = this.#waiting.get(number)
    this.#waiting.delete(number)
    if (failure === null) waiting?.resolve(value)
    else waiting?.reject(new Error(failure))
  }

  /** Ends everything that the thread can no longer end. */
  #fail(error: Error): void {
    if (this.#failure) return
    this.#failure = error
    for (const leg of this.#legs.values()) this.#end(leg)
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }

  #end(leg: RemoteLeg): void {
    this.#legs.delete(leg.id)
    leg.receive({ kind: 'ended', reason: { kind: 'failed' } })
  }
}
