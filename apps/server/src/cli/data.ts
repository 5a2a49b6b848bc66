import { resolve } from 'node:path'
import { minute, type Output } from '@parley/terminal'
import type { DatabaseConfig } from '../config/config.js'
import { DomainError } from '../domain/domain-error.js'
import { noteRestore } from '../domain/operator/backup.js'
import type { OperatorAccess } from '../domain/operator/operator-act.js'
import { rotateSecret } from '../domain/operator/rotate-secret.js'

/** Reads and writes backup files. */
export interface BackupFiles {
  /** Opens the file before it requests the backup. Returns the number of bytes. */
  write(path: string, backup: () => Promise<AsyncIterable<Uint8Array>>): Promise<number>
  /**
   * Restores a backup. Returns its time, and the secret that Parley had generated, or null if the operator
   * had set one.
   */
  restore(
    path: string,
    dataDir: string,
  ): Promise<{ readonly createdAt: string; readonly secret: string | null }>
}

export interface DataCommand {
  readonly access: OperatorAccess
  readonly output: Output
  readonly files: BackupFiles
  readonly database: DatabaseConfig
  /** Whether PARLEY_SECRET is set. */
  readonly isSecretSetting: boolean
}

export async function backUp(command: DataCommand, path: string): Promise<void> {
  const { access, output, files, database, isSecretSetting } = command
  if (database.kind === 'postgres')
    throw new DomainError(
      'Conflict',
      `Use pg_dump to back up PostgreSQL. The service can keep running:\n\n  pg_dump --format=custom --file='${path}' "$DATABASE_URL"\n\n` +
        'Also keep PARLEY_SECRET, in a separate place: stored secrets cannot be decrypted without it.',
    )
  const bytes = await files.write(resolve(path), () => access.backup())
  const secret = isSecretSetting ? 'needed' : 'included'
  output.result({ file: resolve(path), bytes, secret }, () => [
    `Backed up the database to ${resolve(path)} (${Math.ceil(bytes / 1024)} kB). Only the owner of the file can read it.`,
    isSecretSetting
      ? 'PARLEY_SECRET is not in the backup. Keep it separately: stored secrets cannot be decrypted without it.'
      : 'The backup includes the secret that decrypts stored secrets. Protect it like a password.',
    `To restore it into an empty data directory, run parley restore '${path}'.`,
  ])
}

export async function restore(command: DataCommand, path: string): Promise<void> {
  const { access, output, files, database, isSecretSetting } = command
  if (database.kind === 'postgres')
    throw new DomainError(
      'Conflict',
      `Use pg_restore to restore PostgreSQL into an empty database, while no service is running:\n\n  pg_restore --dbname="$DATABASE_URL" '${path}'`,
    )
  const { createdAt, secret } = await files.restore(resolve(path), database.dataDir)
  const { opensSecrets } = await access.run(noteRestore, { createdAt })
  const dataDir = resolve(database.dataDir)
  output.result({ dataDir, createdAt, opensSecrets }, () => [
    `Restored the database of ${minute(createdAt)} to ${dataDir}. Run parley start to start the service.`,
    ...(opensSecrets ? [] : [adviseOnSecret(isSecretSetting, secret)]),
  ])
}

function adviseOnSecret(isSecretSetting: boolean, secret: string | null): string {
  const where =
    secret === null ? 'the value from the installation that was backed up' : 'the secret of the backup'
  return isSecretSetting
    ? `The current PARLEY_SECRET cannot decrypt the restored secrets. Set it to ${where}, or unset it.`
    : `The restored secrets cannot be decrypted. Set PARLEY_SECRET to ${where}.`
}

export async function rotate(
  access: OperatorAccess,
  output: Output,
  { isSecretSetting }: Pick<DataCommand, 'isSecretSetting'>,
): Promise<void> {
  const done = await access.run(rotateSecret, {})
  output.result(done, () => [
    `All stored secrets are encrypted with the new secret. Updated ${done.connections} connections, ${done.agents} agents, ${done.revisions} revisions of agents, ${done.webhooks} webhooks, ${done.mcpAuthorizations} authorizations of MCP servers, ${done.phoneConnections} phone connections and ${done.people} people.`,
    ...(isSecretSetting ? ['You can now unset PARLEY_SECRET_PREVIOUS.'] : []),
    'Old backups still need the old secret.',
  ])
}
