import { Client } from 'pg'

/** Opens a connection for the duration of one task. */
export async function withPostgresClient<T>(url: string, task: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url })
  // A lost connection fails the running query or the next one.
  client.on('error', () => {})
  await client.connect()
  try {
    return await task(client)
  } finally {
    await client.end()
  }
}

/** Returns how many connections to the client's database are waiting for a lock. */
export async function countLockWaits(client: Client): Promise<number> {
  // Within a transaction, pg_stat_activity keeps showing the snapshot of its first query.
  await client.query('select pg_stat_clear_snapshot()')
  const { rows } = await client.query(
    `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows.length
}

/** Drops every database whose name starts with the prefix. */
export async function dropPostgresDatabases(maintenanceUrl: string, prefix: string): Promise<void> {
  await withPostgresClient(maintenanceUrl, async (client) => {
    const { rows } = await client.query<{ datname: string }>(
      'select datname from pg_database where starts_with(datname, $1)',
      [prefix],
    )
    for (const { datname } of rows) await client.query(`drop database if exists "${datname}" with (force)`)
  })
}
