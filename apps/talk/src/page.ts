import { styleText } from 'node:util'

export type Style = Parameters<typeof styleText>[0]

/** The prompt at the bottom of the terminal. It moves down when output is written above it. */
export interface Prompt {
  hide(): void
  show(): void
}

export interface PageOptions {
  readonly write: (text: string) => void
  readonly isColored: boolean
}

/** Prints a conversation. Streamed text continues its line until other output follows. */
export class Page {
  readonly #options: PageOptions
  #prompt: Prompt | null = null
  /** The speaker of the unfinished line. */
  #speaker: string | null = null

  constructor(options: PageOptions) {
    this.#options = options
  }

  attach(prompt: Prompt): void {
    this.#prompt = prompt
  }

  paint(style: Style, text: string): string {
    return this.#options.isColored ? styleText(style, text, { validateStream: false }) : text
  }

  line(text: string): void {
    if (this.#speaker === null) this.#prompt?.hide()
    this.#closeLine()
    this.#options.write(`${text}\n`)
    this.#prompt?.show()
  }

  /** Appends streamed text of a speaker. */
  words(speaker: string, bit: string): void {
    if (this.#speaker !== speaker) {
      if (this.#speaker === null) this.#prompt?.hide()
      this.#closeLine()
      this.#options.write(`${speaker} `)
      this.#speaker = speaker
    }
    this.#options.write(bit)
  }

  endWords(): void {
    if (this.#speaker === null) return
    this.#closeLine()
    this.#prompt?.show()
  }

  #closeLine(): void {
    if (this.#speaker !== null) this.#options.write('\n')
    this.#speaker = null
  }
}

/** Untrusted text without terminal control characters. */
export function harmless(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, '')
}

/** The same on one line, truncated. */
export function short(text: string, maxCharacters = 120): string {
  const line = harmless(text).replace(/\s+/g, ' ').trim()
  return line.length <= maxCharacters ? line : `${line.slice(0, maxCharacters - 1)}…`
}
