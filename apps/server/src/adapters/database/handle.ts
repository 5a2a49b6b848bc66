import type { NodePgQueryResultHKT } from 'drizzle-orm/node-postgres'
import { PgDatabase } from 'drizzle-orm/pg-core'
import { ClientSession, dialect } from './queries/client-session.js'
import type { QueryClient } from './queries/query-client.js'

/** Where queries go: the pool, or the one connection of a transaction. */
export class Handle extends PgDatabase<NodePgQueryResultHKT, Record<string, never>> {
  readonly client: QueryClient

  constructor(client: QueryClient) {
    super(dialect, new ClientSession(client), undefined)
    this.client = client
  }

  /**
   * For a write whose result tells nothing. In a transaction it is on its way while the work goes on, and what comes
   * next is sent along with it; where it fails the transaction does, at its end at the latest.
   */
  async send(statement: PromiseLike<unknown>): Promise<void> {
    // Called here and now: awaited, it would be sent after what comes next.
    const sent = statement.then(() => undefined)
    if (this.client.noteSent === undefined) await sent
    else this.client.noteSent(sent)
  }
}
