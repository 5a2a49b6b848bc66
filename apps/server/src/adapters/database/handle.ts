import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import type { Executor, StatementText } from './run-statement.js'

/** Drizzle on the pool, or on the connection of a transaction. */
export interface Handle extends NodePgDatabase {
  readonly executor: Executor
  /**
   * Runs a write whose result is not needed. A transaction sends it without waiting for its result. If the
   * statement fails, the transaction fails at its end at the latest.
   */
  send(statement: PromiseLike<unknown>): Promise<void>
}

export function makeHandle(executor: Executor): Handle {
  const query = (statement: StatementText, values: unknown[]) => executor.execute(statement, values)
  // Drizzle calls no other method of its client.
  const client = { query } as pg.PoolClient
  return Object.assign(drizzle(client), {
    executor,
    async send(statement: PromiseLike<unknown>) {
      // `then` is called here and not awaited, because an await would send it after the next statement.
      const sent = statement.then(() => undefined)
      if (executor.noteSent === undefined) await sent
      else executor.noteSent(sent)
    },
  })
}
