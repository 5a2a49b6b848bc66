import { readField } from './json-field.js'
import { MalformedMessage } from './stream-protocol.js'

const base64 = /^[A-Za-z0-9+/]*={0,2}$/
const digit = /^[0-9*#A-D]$/

/** A JSON message with checked fields. Errors name the field, never its value: values may be secret or personal. */
export class JsonMessage {
  readonly #value: unknown
  readonly #path: string

  private constructor(value: unknown, path: string) {
    this.#value = value
    this.#path = path
  }

  /** Throws `MalformedMessage` if the frame is no JSON object. */
  static parse(data: Buffer, isBinary: boolean): JsonMessage {
    if (isBinary) throw new MalformedMessage('The frame must be text.')
    let value: unknown
    try {
      value = JSON.parse(data.toString('utf8'))
    } catch {
      throw new MalformedMessage('The frame is not JSON.')
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new MalformedMessage('The message must be an object.')
    }
    return new JsonMessage(value, '')
  }

  object(name: string): JsonMessage {
    const value = readField(this.#value, name)
    if (typeof value !== 'object' || value === null) throw this.#invalid(name, 'an object')
    return new JsonMessage(value, `${this.#path}${name}.`)
  }

  /** Returns the object, or null if it is absent. */
  optionalObject(name: string): JsonMessage | null {
    return readField(this.#value, name) == null ? null : this.object(name)
  }

  /** Returns a string that is not empty. */
  text(name: string): string {
    const value = this.optionalText(name)
    if (value === null) throw this.#invalid(name, 'a string')
    return value
  }

  /** Returns null if the field is absent, empty or no string. */
  optionalText(name: string): string | null {
    const value = readField(this.#value, name)
    return typeof value === 'string' && value !== '' ? value : null
  }

  /** Returns a whole number that is not negative. Some carriers send numbers as text. */
  count(name: string): number {
    const value = readField(this.#value, name)
    const number = typeof value === 'string' && value !== '' ? Number(value) : value
    if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < 0) {
      throw this.#invalid(name, 'a number')
    }
    return number
  }

  /** Returns null unless the field is a whole number. */
  optionalCount(name: string): number | null {
    const value = Number(readField(this.#value, name))
    return Number.isSafeInteger(value) ? value : null
  }

  audio(name: string): Buffer {
    const value = this.text(name)
    if (!base64.test(value)) throw this.#invalid(name, 'base64')
    return Buffer.from(value, 'base64')
  }

  digit(name: string): string {
    const value = this.text(name).toUpperCase()
    if (!digit.test(value)) throw this.#invalid(name, 'a digit')
    return value
  }

  /** Throws `MalformedMessage` unless the field has this value. */
  expect(name: string, expected: string | number): void {
    const value = readField(this.#value, name)
    if (String(value) !== String(expected)) throw this.#invalid(name, `\`${expected}\``)
  }

  #invalid(name: string, kind: string): MalformedMessage {
    return new MalformedMessage(`\`${this.#path}${name}\` must be ${kind}.`)
  }
}
