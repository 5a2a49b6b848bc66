import { clearLine, createInterface, cursorTo, type Interface } from 'node:readline'
import type { Prompt } from './page.js'

type Receive = (line: string | null) => void

export interface LineInputOptions {
  readonly input: NodeJS.ReadStream
  readonly output: NodeJS.WriteStream
  readonly prompt: string
  /** Ctrl-C. */
  readonly onInterrupt: () => void
}

/** Reads lines from a terminal or pipe. A question takes precedence over a pending read. */
export class LineInput implements Prompt {
  readonly isTerminal: boolean
  readonly #output: NodeJS.WriteStream
  readonly #reader: Interface
  readonly #prompt: string
  readonly #early: string[] = []
  #waiting: Receive | null = null
  #question: { readonly text: string; readonly receive: Receive } | null = null
  #hasEnded = false
  #isShown = false

  constructor({ input, output, prompt, onInterrupt }: LineInputOptions) {
    this.isTerminal = input.isTTY === true && output.isTTY === true
    this.#output = output
    this.#prompt = prompt
    this.#reader = createInterface({ input, terminal: this.isTerminal, ...(this.isTerminal && { output }) })
    this.#reader.on('line', (line) => this.#take(line))
    this.#reader.on('close', () => this.#end())
    this.#reader.on('SIGINT', onInterrupt)
  }

  /** Returns the next line, or null at the end. */
  next(): Promise<string | null> {
    const early = this.#early.shift()
    if (early !== undefined) return Promise.resolve(early)
    if (this.#hasEnded) return Promise.resolve(null)
    return new Promise((resolve) => {
      this.#waiting = resolve
      this.show()
    })
  }

  /** Returns a line typed after the prompt. Returns null at the end of input, or if the question is obsolete. */
  ask(text: string, unneeded: AbortSignal): Promise<string | null> {
    if (this.#hasEnded || unneeded.aborted) return Promise.resolve(null)
    return new Promise((resolve) => {
      const receive = (line: string | null) => {
        unneeded.removeEventListener('abort', giveUp)
        this.#question = null
        resolve(line)
      }
      const giveUp = () => {
        this.hide()
        receive(null)
      }
      unneeded.addEventListener('abort', giveUp)
      this.hide()
      this.#question = { text, receive }
      this.show()
    })
  }

  hide(): void {
    if (!this.#isShown) return
    this.#isShown = false
    cursorTo(this.#output, 0)
    clearLine(this.#output, 0)
  }

  show(): void {
    const text = this.#question?.text ?? (this.#waiting === null ? null : this.#prompt)
    if (!this.isTerminal || this.#hasEnded || this.#isShown || text === null) return
    this.#reader.setPrompt(text)
    this.#reader.prompt(true)
    this.#isShown = true
  }

  close(): void {
    this.hide()
    this.#reader.close()
  }

  #take(line: string): void {
    this.#isShown = false
    const receive = this.#question?.receive ?? this.#waiting
    if (this.#question === null) this.#waiting = null
    if (receive === null) this.#early.push(line)
    else receive(line)
  }

  #end(): void {
    this.hide()
    this.#hasEnded = true
    this.#question?.receive(null)
    this.#waiting?.(null)
    this.#waiting = null
  }
}
