import pg from 'pg'

/**
 * A pool behind a pooler such as PgBouncer, which may run each transaction in another session of the server.
 * Its statements have no names, because a name is known only within one session.
 */
export class SessionlessPool extends pg.Pool {
  /** Starts a transaction and sets its limits, because they cannot be session settings here. */
  readonly begin: string

  constructor(config: pg.PoolConfig, timeoutMilliseconds: number) {
    super({ ...config, onConnect: setFormats })
    this.begin = `begin; set local statement_timeout = ${timeoutMilliseconds};
      set local idle_in_transaction_session_timeout = ${timeoutMilliseconds}`
  }
}

/** Poolers track these two settings per client and apply them to each session that the client gets. */
async function setFormats(client: pg.ClientBase): Promise<void> {
  await client.query("set timezone = 'UTC'; set datestyle = 'ISO'")
}
