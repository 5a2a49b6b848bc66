import type pg from 'pg'
import { takesNoChanges } from './outage.js'
import { PipelinedTransaction } from './pipelined-transaction.js'
import { type StatementWatch, unwatched } from './statement-watch.js'

const beginnings = new WeakMap<pg.Pool, string>()

/** What the transactions of this pool begin with, where `begin` alone is not enough. */
export function beginWith(pool: pg.Pool, statements: string): void {
  beginnings.set(pool, statements)
}

/** What is done in a transaction. Its connection is for what only the driver can do, once a statement has begun it. */
type Work<Result> = (transaction: PipelinedTransaction, client: pg.PoolClient) => Promise<Result>

/** Runs `work` in a transaction on one connection of the pool. */
export function inTransaction<Result>(
  pool: pg.Pool,
  work: Work<Result>,
  watch: StatementWatch = unwatched,
): Promise<Result> {
  return runInTransaction({ pool, watch }, work, (transaction) => transaction.commit())
}

/** The same, of which nothing stays. */
export function inUndoneTransaction<Result>(
  pool: pg.Pool,
  work: Work<Result>,
  watch: StatementWatch = unwatched,
): Promise<Result> {
  return runInTransaction({ pool, watch }, work, (transaction) => transaction.undo())
}

async function runInTransaction<Result>(
  { pool, watch }: { readonly pool: pg.Pool; readonly watch: StatementWatch },
  work: Work<Result>,
  end: (transaction: PipelinedTransaction) => Promise<void>,
): Promise<Result> {
  const askedAt = performance.now()
  const client = await pool.connect().catch((error: unknown) => {
    watch.fail(error, askedAt)
    throw error
  })
  const transaction = new PipelinedTransaction(client, beginnings.get(pool) ?? 'begin', watch)
  let isBroken = false
  try {
    const result = await work(transaction, client)
    await end(transaction)
    return result
  } catch (error) {
    const cause = await transaction.causeOf(error)
    watch.fail(cause, askedAt)
    // The other end has become a copy of another server: the next connection may lead to that one.
    isBroken = takesNoChanges(cause)
    await transaction.rollBack().catch(() => {
      isBroken = true
    })
    throw cause
  } finally {
    client.release(isBroken)
  }
}
