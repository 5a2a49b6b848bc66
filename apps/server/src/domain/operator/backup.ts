import { z } from 'zod'
import type { BackupArchive } from '../../ports/database.js'
import { recordChange } from '../audit/record-change.js'
import { DomainError } from '../domain-error.js'
import { opensSecrets } from '../first-start/secret-check.js'
import { defineAct, type Operator, type OperatorWorld, operatorCaller } from './operator-act.js'

/** Returns a snapshot of the embedded database, with the secrets that open its sealed values. */
export async function takeBackup(world: OperatorWorld, operator: Operator): Promise<BackupArchive> {
  const { database, clock, secrets } = world
  if (database.dump === null) throw new DomainError('Conflict', 'Use pg_dump to back up PostgreSQL.')
  const installation = await database.stores.installation.find()
  if (installation === null)
    throw new DomainError('Conflict', 'The database is not set up yet, so it contains nothing to back up.')
  const organizationId = installation.firstOrganizationId
  // Recorded before the snapshot, so that every backup is logged and contains its own record.
  await database.transaction((stores) =>
    recordChange(
      clock,
      { stores, caller: operatorCaller(organizationId, operator) },
      { action: 'installation.backup', type: null, id: null },
    ),
  )
  return {
    createdAt: clock.now().toISOString(),
    secret: await secrets.generated(),
    archive: await database.dump(),
  }
}

/**
 * Records in the restored audit log that the backup was restored. Returns whether its secrets can be opened
 * here.
 */
export const noteRestore = defineAct({
  name: 'restore.note',
  input: z.strictObject({ createdAt: z.string() }),
  output: z.object({ opensSecrets: z.boolean() }),
  async run({ database, clock, cipher }, operator, { createdAt }) {
    const installation = await database.stores.installation.find()
    if (installation === null)
      throw new DomainError('Conflict', 'The backup contains a database that was never set up.')
    const caller = operatorCaller(installation.firstOrganizationId, operator)
    await database.transaction((stores) =>
      recordChange(
        clock,
        { stores, caller },
        { action: 'installation.restore', type: null, id: null, details: { createdAt } },
      ),
    )
    return { opensSecrets: opensSecrets(cipher, installation.secretCheck) }
  },
})
