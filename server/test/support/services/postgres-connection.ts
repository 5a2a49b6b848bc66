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
