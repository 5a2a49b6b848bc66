import { styleFor } from '../edge/terminal/welcome.js'

export interface Streams {
  readonly isTTY: boolean
  out(text: string): void
  err(text: string): void
}

/** What a command says: sentences and tables for people, or one JSON value for programs. */
export class Output {
  readonly isJson: boolean
  readonly style: ReturnType<typeof styleFor>
  readonly #streams: Streams

  constructor(streams: Streams, isJson: boolean) {
    this.#streams = streams
    this.isJson = isJson
    this.style = styleFor(streams.isTTY && !isJson)
  }

  /** The result of a command, in either form. */
  result(value: unknown, describe: () => readonly string[]): void {
    const text = this.isJson ? JSON.stringify(value, null, 2) : describe().join('\n')
    this.#streams.out(`${text}\n`)
  }

  /** What somebody has to know before there is a result; never part of it. */
  note(text: string): void {
    this.#streams.err(`${text}\n`)
  }

  /** Why a command failed. */
  failure(code: string, detail: string, besides: object = {}): void {
    const text = this.isJson ? JSON.stringify({ error: { code, detail, ...besides } }, null, 2) : detail
    this.#streams.err(`${text}\n`)
  }
}

/** Rows below their headings, each column as wide as its widest cell. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  return [headings, ...rows].map((row) =>
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
