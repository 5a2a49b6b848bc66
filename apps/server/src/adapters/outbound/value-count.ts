const codeOf = (character: string) => character.charCodeAt(0)
const [quote, backslash, comma, list, object, lineFeed, carriageReturn] = [
  ...['"', '\\', ',', '[', '{', '\n', '\r'].map(codeOf),
]

/**
 * Counts the values of a JSON message as its bytes arrive: the whole body, or one event of a stream. Parsing
 * blocks the event loop for a microsecond or more per value.
 */
export class ValueCount {
  readonly #isEventStream: boolean
  #values = 0
  #isInString = false
  #isEscaped = false
  #isLineEmpty = true
  #last = 0

  constructor(isEventStream: boolean) {
    this.#isEventStream = isEventStream
  }

  /** Returns the largest number of values in a message so far, including these bytes. */
  add(bytes: Uint8Array): number {
    let most = this.#values
    for (const code of bytes) {
      this.#step(code)
      if (this.#values > most) most = this.#values
      this.#last = code
    }
    return most
  }

  #step(code: number): void {
    if (code === lineFeed || code === carriageReturn) this.#endLine(code)
    else {
      this.#isLineEmpty = false
      if (this.#isEscaped) this.#isEscaped = false
      else if (code === quote) this.#isInString = !this.#isInString
      else if (this.#isInString) this.#isEscaped = code === backslash
      else if (code === comma || code === list || code === object) this.#values += 1
    }
  }

  /**
   * JSON strings cannot contain a line break. A quote outside JSON, for example in a comment line, is
   * therefore limited to its line.
   */
  #endLine(code: number): void {
    this.#isInString = false
    this.#isEscaped = false
    if (code === lineFeed && this.#last === carriageReturn) return
    if (this.#isLineEmpty && this.#isEventStream) this.#values = 0
    this.#isLineEmpty = true
  }
}
