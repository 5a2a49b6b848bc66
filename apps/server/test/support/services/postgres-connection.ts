import { Client } from 'pg'

/** Lends a connection for the time of one task. */
export async function withPostgresClient<T>(url: string, task: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url })
  // A lost connection fails the query that runs, or the next one.
  client.on('error', () => {})
  await client.connect()
  try {
    return await task(client)
  } finally {
    await client.end()
  }
}

/** How many connections to the client's database wait for a lock at this moment. */
export async function countLockWaits(client: Client): Promise<number> {
  // A transaction would see the activity of others as it was when it first asked.
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
