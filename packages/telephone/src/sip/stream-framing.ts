import { maxHeaderBytes, maxMessageBytes, skipBlankLines } from './parse-message.js'

interface Cut {
  readonly messages: readonly Buffer[]
  /** How many keep-alive pings arrived: two empty lines each. */
  readonly pings: number
}

/**
 * Cuts messages out of a stream by their Content-Length. A message without one has no body.
 */
export class StreamFraming {
  #rest: Buffer = Buffer.alloc(0)
  /** How much of the rest has been searched for the end of headers. */
  #searched = 0
  #blankBytes = 0

  /** Returns null if a message is longer than the limit. The stream cannot be understood after that. */
  push(chunk: Buffer): Cut | null {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    const messages: Buffer[] = []
    let pings = 0
    for (;;) {
      pings += this.#skipBlankLines()
      const length = this.#lengthOfFirst()
      if (length === 'too long') return null
      if (length === null || this.#rest.length < length) return { messages, pings }
      messages.push(this.#rest.subarray(0, length))
      this.#rest = this.#rest.subarray(length)
      this.#searched = 0
      this.#blankBytes = 0
    }
  }

  /** Returns how many pings the empty lines before the next message are. They may arrive in pieces. */
  #skipBlankLines(): number {
    const blank = skipBlankLines(this.#rest)
    if (blank === 0) return 0
    this.#rest = this.#rest.subarray(blank)
    this.#searched = 0
    const total = this.#blankBytes + blank
    this.#blankBytes = total % 4
    return Math.floor(total / 4)
  }

  #lengthOfFirst(): number | 'too long' | null {
    const end = this.#rest.indexOf('\r\n\r\n', Math.max(0, this.#searched - 3))
    if (end < 0) {
      this.#searched = this.#rest.length
      return this.#rest.length > maxHeaderBytes ? 'too long' : null
    }
    this.#searched = end
    const headers = this.#rest.toString('latin1', 0, end)
    const [, digits = '0'] = /^(?:content-length|l)[ \t]*:[ \t]*(\d{1,9})[ \t]*$/im.exec(headers) ?? []
    const length = end + 4 + Number(digits)
    return length > maxMessageBytes ? 'too long' : length
  }
}
