/**
 * A large value that a statement needs once. The driver keeps what it was given until the next full garbage collection,
 * which is worth nothing for a large file's thousand statements but all of its text in memory.
 */
export class PassingValue {
  #value: string

  constructor(value: string) {
    this.#value = value
  }

  /** Asked by the driver when it writes the statement. */
  toPostgres(): string {
    const value = this.#value
    this.#value = ''
    return value
  }
}
