/** A mistake in a file, with its place: what editors and people jump to. */
export interface FileMistake {
  readonly file: string
  readonly line: number
  readonly column: number
  /** The place in the document, for example `agents.front-desk.tools[0].request.url`. */
  readonly field: string
  /** What is wrong, and what to do. */
  readonly message: string
}

/** The files cannot be applied as they are. */
export class FileMistakes extends Error {
  override readonly name = 'FileMistakes'
  readonly code = 'InvalidFiles'
  readonly mistakes: readonly FileMistake[]

  /** A line for each mistake. */
  readonly lines: readonly string[]

  constructor(mistakes: readonly FileMistake[]) {
    const lines = mistakes.map(describeMistake)
    super(lines.join('\n'))
    this.mistakes = mistakes
    this.lines = lines
  }
}

function describeMistake({ file, line, column, field, message }: FileMistake): string {
  return `${file}:${line}:${column}: ${field === '' ? '' : `${field} `}${message}`
}
