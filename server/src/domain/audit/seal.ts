import { createHash } from 'node:crypto'
import type { ChainHead, Seal, StoredAuditRecord } from '../../ports/audit-store.js'
import type { Database } from '../../ports/database.js'

const batchSize = 500

export function hashAfter(previous: string, canonical: string): string {
  return createHash('sha256').update(previous).update('\n').update(canonical).digest('hex')
}

/** Seals for these records, in order, behind the head of the chain. */
function sealsAfter(
  head: ChainHead,
  records: readonly Pick<StoredAuditRecord, 'id' | 'canonical'>[],
): Seal[] {
  let { sequence, hash } = head
  return records.map(({ id, canonical }) => {
    sequence += 1
    hash = hashAfter(hash, canonical)
    return { id, sequence, hash }
  })
}

/**
 * Gives every unsealed record its place in the chain of its organization. Writers do not wait for this: they add
 * records without a place, and sealers take turns at the head of the chain. A chain that somebody has broken fails
 * at the end, when all the others are sealed.
 */
export async function sealAuditLog(database: Database): Promise<number> {
  let sealedCount = 0
  const failures: unknown[] = []
  for (const organizationId of await database.stores.audit.organizationsToSeal()) {
    try {
      sealedCount += await sealOrganization(database, organizationId)
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Some audit records could not be sealed.')
  return sealedCount
}

async function sealOrganization(database: Database, organizationId: string): Promise<number> {
  let sealedCount = 0
  for (;;) {
    const sealed = await sealBatch(database, organizationId)
    sealedCount += sealed
    if (sealed < batchSize) return sealedCount
  }
}

function sealBatch(database: Database, organizationId: string): Promise<number> {
  return database.transaction(async ({ audit }) => {
    const head = await audit.lockHead(organizationId)
    const seals = sealsAfter(head, await audit.unsealed(organizationId, batchSize))
    await audit.seal(organizationId, seals)
    return seals.length
  })
}
