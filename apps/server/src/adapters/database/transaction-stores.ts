import type pg from 'pg'
import type { Stores } from '../../ports/database.js'
import type { AuditParts, OnAppended } from './audit-store.js'
import { Handle } from './handle.js'
import type { PipelinedTransaction } from './pipelined-transaction.js'
import { makeStores } from './stores.js'

const ofConnections = new WeakMap<pg.PoolClient, TransactionStores>()

/**
 * The stores of the transactions on one connection, of which there is one at a time. Made for each transaction, they were
 * a twentieth of what creating a session costs (`npm run bench opening`).
 */
class TransactionStores {
  readonly stores: Stores
  #transaction: PipelinedTransaction | null = null
  #onAppended: OnAppended = () => undefined

  constructor(signing: AuditParts['signing']) {
    const handle = new Handle({
      query: (config, values) => this.#current().query(config, values),
      noteSent: (statement) => this.#current().noteSent(statement),
    })
    const onAppended: OnAppended = (organizationId, action) => this.#onAppended(organizationId, action)
    this.stores = makeStores(handle, { onAppended, signing })
  }

  async during<Result>(
    transaction: PipelinedTransaction,
    onAppended: OnAppended,
    work: (stores: Stores) => Promise<Result>,
  ): Promise<Result> {
    this.#transaction = transaction
    this.#onAppended = onAppended
    try {
      return await work(this.stores)
    } finally {
      this.#transaction = null
    }
  }

  /** What comes too late must not end up in the transaction of somebody else. */
  #current(): PipelinedTransaction {
    if (this.#transaction === null) throw new Error('The transaction is over.')
    return this.#transaction
  }
}

/** Does work in a transaction, with stores that lead to it for as long as the work takes. */
export function withStores<Result>(
  { transaction, client }: { readonly transaction: PipelinedTransaction; readonly client: pg.PoolClient },
  { onAppended, signing }: AuditParts,
  work: (stores: Stores) => Promise<Result>,
): Promise<Result> {
  const known = ofConnections.get(client) ?? new TransactionStores(signing)
  ofConnections.set(client, known)
  return known.during(transaction, onAppended, work)
}
