import pg from 'pg'

/**
 * A pool behind a pooler such as PgBouncer, which may run each transaction in another session of the server. Statements
 * have no names on it, because a name is known to one session only.
 */
export class SessionlessPool extends pg.Pool {
  /** Begins a transaction and sets its limits. They cannot be settings of a session here. */
  readonly begin: string

  constructor(config: pg.PoolConfig, timeoutMilliseconds: number) {
    super({ ...config, onConnect: setFormats })
    this.begin = `begin; set local statement_timeout = ${timeoutMilliseconds};
      set local idle_in_transaction_session_timeout = ${timeoutMilliseconds}`
  }
}

/** Poolers know these two settings as the client's, and apply them to each session that the client is given. */
async function setFormats(client: pg.ClientBase): Promise<void> {
  await client.query("set timezone = 'UTC'; set datestyle = 'ISO'")
}
