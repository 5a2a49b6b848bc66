import { migrate } from '#server/adapters/database/migrate.js'
import { openPostgres } from '#server/adapters/database/open-postgres.js'
import { testSigning } from '../audit/chain-secrets.js'
import { createPostgresDatabase, createTemplateOnce, type PostgresDatabase } from './postgres-database.js'

/** Creates a migrated PostgreSQL database, cloned from a template that is migrated once. */
export async function migratedDatabase(): Promise<PostgresDatabase> {
  const template = await createTemplateOnce('migrated', async (url) => {
    const pool = openPostgres(url, () => undefined)
    await migrate(pool, testSigning)
    await pool.end()
  })
  return createPostgresDatabase({ template })
}
