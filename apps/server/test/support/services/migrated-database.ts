import { migrate } from '#server/adapters/database/migrate.js'
import { openPostgres } from '#server/adapters/database/open-postgres.js'
import { testSigning } from '../audit/chain-secrets.js'
import { createPostgresDatabase, createTemplateOnce, type PostgresDatabase } from './postgres-database.js'

/** A new PostgreSQL database with the schema in it, cloned from one that was migrated once. */
export async function migratedDatabase(): Promise<PostgresDatabase> {
  const template = await createTemplateOnce('migrated', async (url) => {
    const pool = openPostgres(url, () => undefined)
    await migrate(pool, testSigning)
    await pool.end()
  })
  return createPostgresDatabase({ template })
}
