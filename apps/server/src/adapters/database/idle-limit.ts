/** PostgreSQL's error code for a transaction that it terminated because it was idle. */
const idleInTransaction = '25P03'

/** Thrown if a transaction sent no statement for too long. */
class IdleInTransaction extends Error {
  override readonly name = 'IdleInTransaction'
  readonly code = idleInTransaction

  constructor(milliseconds: number) {
    super(`The transaction was rolled back because it was idle for ${milliseconds / 1000} s.`)
  }
}

/**
 * Ends a transaction that is idle for too long, as PostgreSQL does (`idle_in_transaction_session_timeout`).
 * The embedded database has no such timeout, although an idle transaction holds its only connection.
 */
export class IdleLimit {
  readonly #milliseconds: number
  #running = 0
  #timer: NodeJS.Timeout | undefined
  #expire: (() => void) | null = null

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds
  }

  /** Waits for the transaction's work. Throws if the transaction is idle for too long. */
  async bound<Result>(work: () => Promise<Result>): Promise<Result> {
    const expired = new Promise<never>((_resolve, reject) => {
      this.#expire = () => reject(new IdleInTransaction(this.#milliseconds))
    })
    this.#restart()
    try {
      return await Promise.race([work(), expired])
    } finally {
      this.#expire = null
      clearTimeout(this.#timer)
    }
  }

  /** Waits for a statement of the transaction. Until it ends, the transaction is not idle. */
  async during<Result>(statement: Promise<Result>): Promise<Result> {
    this.#running += 1
    clearTimeout(this.#timer)
    try {
      return await statement
    } finally {
      this.#running -= 1
      if (this.#running === 0) this.#restart()
    }
  }

  #restart(): void {
    clearTimeout(this.#timer)
    if (this.#expire !== null) this.#timer = setTimeout(this.#expire, this.#milliseconds)
  }
}
