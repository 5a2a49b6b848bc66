import type { Database } from '../../ports/database.js'

/** Whether what failed may have failed for another reason than that the database is away. */
export function isDatabaseThere(database: Database): Promise<boolean> {
  return database.ping().then(
    () => true,
    () => false,
  )
}
