import { randomUUID } from 'node:crypto'
import { styleText } from 'node:util'
import { printable } from './printable.js'

export type Style = (format: 'bold' | 'dim' | 'green' | 'red' | 'yellow', text: string) => string

/** Colours for a terminal, plain text for everything else. */
export function styleFor(isTerminal: boolean): Style {
  return isTerminal ? (format, text) => styleText(format, text) : (_format, text) => text
}

export interface Streams {
  readonly isTTY: boolean
  out(text: string): void
  err(text: string): void
}

/**
 * What a command says: sentences and tables for people, or one JSON value for programs. People see every line in its
 * printable form: names and texts come from other organizations, from files and from models.
 */
export class Output {
  readonly isJson: boolean
  /** Colours a text. The line with it must be printed by this output. */
  readonly style: Style
  readonly #streams: Streams
  /** Stands around our own escape sequences, so that nobody else's pass for them. */
  readonly #mark = randomUUID()

  constructor(streams: Streams, isJson: boolean) {
    this.#streams = streams
    this.isJson = isJson
    const colour = styleFor(streams.isTTY && !isJson)
    this.style = (format, text) => {
      const [begin = '', end = ''] = colour(format, '\0')
        .split('\0')
        .map((code) => this.#marked(code))
      return `${begin}${text}${end}`
    }
  }

  /** The result of a command, in either form. Each text of `describe` is one line. */
  result(value: unknown, describe: () => readonly string[]): void {
    this.#streams.out(this.isJson ? jsonText(value) : this.#lines(describe()))
  }

  /** The same of a file. If its reader is a program, it arrives unchanged. */
  file(text: string): void {
    if (this.isJson) this.#streams.out(jsonText({ file: text }))
    else this.#streams.out(this.#streams.isTTY ? this.#lines(text.trimEnd().split('\n')) : text)
  }

  /** What somebody has to know before there is a result; never part of it. */
  note(...lines: readonly string[]): void {
    this.#streams.err(this.#lines(lines))
  }

  /** Why a command failed. A detail that quotes others is given line by line. */
  failure(code: string, detail: string | readonly string[], besides: object = {}): void {
    const lines = typeof detail === 'string' ? detail.split('\n') : detail
    const error = { code, detail: lines.join('\n'), ...besides }
    this.#streams.err(this.isJson ? jsonText({ error }) : this.#lines(lines))
  }

  #marked(code: string): string {
    return code === '' ? '' : `${this.#mark}${code}${this.#mark}`
  }

  /** Between two marks stands a code of ours; all else is text. */
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

/** Rows below their headings, each column as wide as its widest cell. */
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

/** A moment as people read it, to the minute, in UTC. */
export function minute(iso: string): string {
  return `${new Date(iso).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
