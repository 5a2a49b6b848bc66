import { randomUUID } from 'node:crypto'
import { styleText } from 'node:util'
import { printable } from './printable.js'

export type Style = (format: 'bold' | 'dim' | 'green' | 'red' | 'yellow', text: string) => string

/** Colors for a terminal, plain text for everything else. */
export function styleFor(isTerminal: boolean): Style {
  return isTerminal ? (format, text) => styleText(format, text) : (_format, text) => text
}

export interface Streams {
  readonly isTTY: boolean
  out(text: string): void
  err(text: string): void
}

/**
 * The output of a command: text and tables for people, or one JSON value for programs. Lines for people are escaped,
 * because names and texts come from other organizations, from files and from models.
 */
export class Output {
  readonly isJson: boolean
  /** Colors a text. Only this output can print a line that contains the result. */
  readonly style: Style
  readonly #streams: Streams
  /** Marks our own escape sequences, so that sequences in foreign text are escaped. */
  readonly #mark = randomUUID()

  constructor(streams: Streams, isJson: boolean) {
    this.#streams = streams
    this.isJson = isJson
    const color = styleFor(streams.isTTY && !isJson)
    this.style = (format, text) => {
      const [begin = '', end = ''] = color(format, '\0')
        .split('\0')
        .map((code) => this.#marked(code))
      return `${begin}${text}${end}`
    }
  }

  /** Prints the result of a command, in either form. Each text of `describe` is one line. */
  result(value: unknown, describe: () => readonly string[]): void {
    this.#streams.out(this.isJson ? jsonText(value) : this.#lines(describe()))
  }

  /** Prints a file. A program that reads the output gets it unchanged. */
  file(text: string): void {
    if (this.isJson) this.#streams.out(jsonText({ file: text }))
    else this.#streams.out(this.#streams.isTTY ? this.#lines(text.trimEnd().split('\n')) : text)
  }

  /** Prints a message on standard error that is not part of the result. */
  note(...lines: readonly string[]): void {
    this.#streams.err(this.#lines(lines))
  }

  /** Prints why a command failed. Pass lines if the detail quotes foreign text. */
  failure(code: string, detail: string | readonly string[], besides: object = {}): void {
    const lines = typeof detail === 'string' ? detail.split('\n') : detail
    const error = { code, detail: lines.join('\n'), ...besides }
    this.#streams.err(this.isJson ? jsonText({ error }) : this.#lines(lines))
  }

  #marked(code: string): string {
    return code === '' ? '' : `${this.#mark}${code}${this.#mark}`
  }

  /** Text between two marks is one of our own escape sequences. All other text is escaped. */
  #lines(lines: readonly string[]): string {
    const shown = lines.map((line) =>
      line
        .split(this.#mark)
        .map((part, index) => (index % 2 === 0 ? printable(part) : part))
        .join(''),
    )
    return `${shown.join('\n')}\n`
  }
}

const jsonText = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

/** Formats rows below their headings. Each column is as wide as its widest cell. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const cells = [headings, ...rows.map((row) => row.map(printable))]
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  return cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** Formats a time for people, to the minute, in UTC. */
export function minute(iso: string): string {
  return `${new Date(iso).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
