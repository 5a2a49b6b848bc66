import { openEmbeddedDatabase } from '@parley/embedded-database'
import { withPostgresClient } from '../services/postgres-connection.js'

type Query = <Row>(text: string, values?: unknown[]) => Promise<Row[]>

async function tablesContaining(query: Query, pattern: string): Promise<string[]> {
  const names = await query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  )
  const found: string[] = []
  for (const { name } of names) {
    const rows = await query(`select 1 from "${name}" as t where t::text ~* $1 limit 1`, [pattern])
    if (rows.length > 0) found.push(name)
  }
  return found
}

/** Matches the text, also in the contents of files, which PostgreSQL writes as hexadecimal digits. */
const patternOf = (text: string) => `${text}|${Buffer.from(text).toString('hex')}`

/** Returns the tables of a PostgreSQL database whose rows contain the text in any column. */
export function postgresTablesWith(url: string, text: string): Promise<string[]> {
  return withPostgresClient(url, (client) =>
    tablesContaining(
      async <Row>(sql: string, values?: unknown[]) => (await client.query(sql, values)).rows as Row[],
      patternOf(text),
    ),
  )
}

/** Like `postgresTablesWith`, for an embedded database that no process has open. */
export async function embeddedTablesWith(dataDir: string, text: string): Promise<string[]> {
  const { pool, close } = await openEmbeddedDatabase({ dataDir, onCrash: () => undefined })
  try {
    return await tablesContaining(
      async <Row>(sql: string, values?: unknown[]) => (await pool.query(sql, values)).rows as Row[],
      patternOf(text),
    )
  } finally {
    await close()
  }
}
