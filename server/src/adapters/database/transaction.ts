import type pg from 'pg'
import { takesNoChanges } from './outage.js'

const beginnings = new WeakMap<pg.Pool, string>()

/** What the transactions of this pool begin with, where `begin` alone is not enough. */
export function beginWith(pool: pg.Pool, statements: string): void {
  beginnings.set(pool, statements)
}

/** Runs `work` in a transaction on one connection of the pool. */
export function inTransaction<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  return runInTransaction(pool, work, async (client) => {
    const { command } = await client.query('commit')
    // That is how the database answers where a statement had failed and nobody passed it on.
    if (command === 'ROLLBACK')
      throw new Error('A statement of the transaction failed, so all of it was undone.')
  })
}

/** The same, of which nothing stays. */
export function inUndoneTransaction<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  return runInTransaction(pool, work, (client) => client.query('rollback'))
}

async function runInTransaction<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
  end: (client: pg.PoolClient) => Promise<unknown>,
): Promise<Result> {
  const client = await pool.connect()
  // A connection that is lost under way fails its query; the event besides, unheard, would end the process.
  const ignore = () => undefined
  client.on('error', ignore)
  let isBroken = false
  try {
    await client.query(beginnings.get(pool) ?? 'begin')
    const result = await work(client)
    await end(client)
    return result
  } catch (error) {
    // The other end has become a copy of another server: the next connection may lead to that one.
    isBroken = takesNoChanges(error)
    await client.query('rollback').catch(() => {
      isBroken = true
    })
    throw error
  } finally {
    client.release(isBroken)
    client.removeListener('error', ignore)
  }
}
