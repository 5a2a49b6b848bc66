import { type DatabaseLocation, type OpenOptions, openDatabase } from '../adapters/database/open-database.js'
import { type OpenedSecrets, openSecrets } from '../adapters/system/secret-keeper.js'
import type { Config } from '../config/config.js'
import { makeAuditSigning } from '../domain/audit/record-signature.js'
import { requireSecret } from '../domain/first-start/secret-check.js'
import type { Database } from '../ports/database.js'
import type { Log } from '../ports/log.js'

/** The database and the secrets that sign everything written to the audit log. */
export interface OpenedDatabase extends OpenedSecrets {
  readonly database: Database
}

export interface OpenWithSecretsOptions {
  readonly log: Log
  readonly onCrash: (error: Error) => void
}

type Open = (location: DatabaseLocation, log: Log, options: OpenOptions) => Promise<Database>

/**
 * Opens the database and the secrets. An embedded database is locked before the secret in its directory is
 * read.
 */
export async function openWithSecrets(
  config: Config,
  { log, onCrash }: OpenWithSecretsOptions,
  open: Open = openDatabase,
): Promise<OpenedDatabase> {
  let secrets: OpenedSecrets | null = null
  const openSigning = async () => {
    const opened = await openSecrets({ ...config, dataDir: config.database.dataDir })
    secrets = opened
    const { cipher, chainKeys } = opened
    return makeAuditSigning(chainKeys, (secretCheck) => requireSecret(cipher, secretCheck))
  }
  const database = await open(config.database, log, { onCrash, openSigning })
  return withSecrets(database, secrets)
}

function withSecrets(database: Database, secrets: OpenedSecrets | null): OpenedDatabase {
  if (secrets === null) throw new Error('The database was opened without reading its secrets.')
  return { database, ...secrets }
}
