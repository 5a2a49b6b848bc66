import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'

type ConnectCallback = Parameters<pg.Pool['connect']>[0]

/** The connection was held for too long by another transaction. The code is PostgreSQL's for a lock that is not available. */
class ConnectionNotFree extends Error {
  override readonly name = 'ConnectionNotFree'
  readonly code = '55P03'

  constructor(milliseconds: number, cause: Error) {
    super(`The embedded database was busy with another transaction for ${milliseconds / 1000} s.`, { cause })
  }
}

/** Waiting would never end: the caller holds the connection that it asks for. */
class SecondConnection extends Error {
  override readonly name = 'SecondConnection'

  constructor() {
    super(
      'The embedded database has one connection, and the open transaction holds it. ' +
        "Inside a transaction, use the transaction's own stores or client.",
    )
  }
}

/** A pool of one connection. It is the queue of the embedded database: callers get the connection in order. */
export class OneConnectionPool extends pg.Pool {
  /** How long a transaction may wait for something other than its statements. */
  readonly idleTransactionMilliseconds: number
  readonly #transactions = new AsyncLocalStorage<{ isOpen: boolean }>()

  constructor(config: pg.PoolConfig, idleTransactionMilliseconds: number) {
    super(config)
    this.idleTransactionMilliseconds = idleTransactionMilliseconds
  }

  /** Runs the work of a transaction. Until it ends, this pool rejects every other request for a connection that it makes. */
  async inside<Result>(work: () => Promise<Result>): Promise<Result> {
    const transaction = { isOpen: true }
    try {
      return await this.#transactions.run(transaction, work)
    } finally {
      transaction.isOpen = false
    }
  }

  override connect(): Promise<pg.PoolClient>
  override connect(callback: ConnectCallback): void
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | undefined {
    if (callback === undefined)
      return new Promise((resolve, reject) => {
        this.connect((error, client) => (client === undefined ? reject(error) : resolve(client)))
      })
    if (this.#transactions.getStore()?.isOpen) callback(new SecondConnection(), undefined, ignore)
    else super.connect((error, client, release) => callback(this.#explain(error), client, release))
    return undefined
  }

  #explain(error: Error | undefined): Error | undefined {
    const isTimeout = error !== undefined && /^timeout exceeded/.test(error.message)
    return isTimeout ? new ConnectionNotFree(this.options.connectionTimeoutMillis ?? 0, error) : error
  }
}

function ignore(): void {}
