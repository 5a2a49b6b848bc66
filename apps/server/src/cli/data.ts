import { resolve } from 'node:path'
import { minute, type Output } from '@parley/terminal'
import type { DatabaseConfig } from '../config/config.js'
import { DomainError } from '../domain/domain-error.js'
import { noteRestore } from '../domain/operator/backup.js'
import type { OperatorAccess } from '../domain/operator/operator-act.js'
import { rotateSecret } from '../domain/operator/rotate-secret.js'

/** What the command itself does with files. */
export interface BackupFiles {
  /** Opens the file before it asks for what belongs into it. */
  write(path: string, backup: () => Promise<AsyncIterable<Uint8Array>>): Promise<number>
  /** Puts a backup in place, and says what it is. */
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
  /** Whether the secret is the operator's, in PARLEY_SECRET. */
  readonly isSecretSetting: boolean
}

export async function backUp(command: DataCommand, path: string): Promise<void> {
  const { access, output, files, database, isSecretSetting } = command
  if (database.kind === 'postgres')
    throw new DomainError(
      'Conflict',
      `PostgreSQL has its own way, also while the service runs:\n\n  pg_dump --format=custom --file='${path}' "$DATABASE_URL"\n\n` +
        'Keep PARLEY_SECRET too, in another place: without it the stored secrets do not open.',
    )
  const bytes = await files.write(resolve(path), () => access.backup())
  const secret = isSecretSetting ? 'needed' : 'included'
  output.result({ file: resolve(path), bytes, secret }, () => [
    `${resolve(path)} has the whole database (${Math.ceil(bytes / 1024)} kB), for its owner alone.`,
    isSecretSetting
      ? 'PARLEY_SECRET is not in it: keep it apart. Without it the stored secrets do not open.'
      : 'The secret that opens what is stored is in it: keep it as you keep a password.',
    `parley restore '${path}' puts it into an empty data directory.`,
  ])
}

export async function restore(command: DataCommand, path: string): Promise<void> {
  const { access, output, files, database, isSecretSetting } = command
  if (database.kind === 'postgres')
    throw new DomainError(
      'Conflict',
      `PostgreSQL has its own way, into an empty database, while nothing runs:\n\n  pg_restore --dbname="$DATABASE_URL" '${path}'`,
    )
  const { createdAt, secret } = await files.restore(resolve(path), database.dataDir)
  const { opensSecrets } = await access.run(noteRestore, { createdAt })
  const dataDir = resolve(database.dataDir)
  output.result({ dataDir, createdAt, opensSecrets }, () => [
    `${dataDir} has the database as it was at ${minute(createdAt)}. parley start serves it.`,
    ...(opensSecrets ? [] : [adviseOnSecret(isSecretSetting, secret)]),
  ])
}

function adviseOnSecret(isSecretSetting: boolean, secret: string | null): string {
  const where =
    secret === null ? 'the PARLEY_SECRET of where the backup was taken' : 'the secret of the backup'
  return isSecretSetting
    ? `But its secrets do not open with this PARLEY_SECRET: set it to ${where}, or unset it.`
    : `But its secrets do not open: set PARLEY_SECRET to ${where}.`
}

export async function rotate(
  access: OperatorAccess,
  output: Output,
  { isSecretSetting }: Pick<DataCommand, 'isSecretSetting'>,
): Promise<void> {
  const done = await access.run(rotateSecret, {})
  output.result(done, () => [
    `Everything is sealed with the new secret: ${done.connections} connections, ${done.agents} agents, ${done.revisions} revisions of agents, ${done.webhooks} webhooks, ${done.mcpAuthorizations} authorizations of MCP servers and ${done.people} people had something to seal anew.`,
    ...(isSecretSetting ? ['PARLEY_SECRET_PREVIOUS can be unset now.'] : []),
    'Old backups open with the old secret alone.',
  ])
}
