import type { ChainHead, Seal, UnsealedRecord } from '../../ports/audit-store.js'
import type { ChainKey } from '../../ports/chain-keys.js'
import type { Database } from '../../ports/database.js'
import { hashAfter } from './chain-hash.js'
import { isGenuine, moveHead, type Sealing } from './chain-head.js'

const batchSize = 500

export interface SealDependencies extends Sealing {
  readonly database: Database
}

/** Seals for these records, in order, behind the head of the chain. */
function sealsAfter(key: ChainKey, head: ChainHead, records: readonly UnsealedRecord[]): Seal[] {
  let { sequence, hash } = head
  return records.map(({ id, canonical }) => {
    sequence += 1
    hash = hashAfter(key, hash, canonical)
    return { id, sequence, hash, keyId: key.id }
  })
}

/**
 * Gives every unsealed record its place in the chain of its organization. Writers do not wait for this: they add
 * records without a place, and sealers take turns at the head of the chain. A chain that somebody has broken fails
 * at the end, when all the others are sealed.
 */
export async function sealAuditLog(dependencies: SealDependencies): Promise<number> {
  let sealedCount = 0
  const failures: unknown[] = []
  for (const organizationId of await dependencies.database.stores.audit.organizationsToSeal()) {
    try {
      sealedCount += await sealOrganization(dependencies, organizationId)
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Some audit records could not be sealed.')
  return sealedCount
}

async function sealOrganization(dependencies: SealDependencies, organizationId: string): Promise<number> {
  let sealedCount = 0
  for (;;) {
    const sealed = await sealBatch(dependencies, organizationId)
    sealedCount += sealed
    if (sealed < batchSize) return sealedCount
  }
}

function sealBatch({ database, ...sealing }: SealDependencies, organizationId: string): Promise<number> {
  return database.transaction(async ({ audit }) => {
    const head = await audit.lockHead(organizationId)
    // Nothing is built on a head that somebody else made, or that an instance with a newer secret has sealed.
    if (!isGenuine(sealing.chainKeys, organizationId, head))
      throw new Error(`The head of the audit log of ${organizationId} is not as this service has sealed it.`)
    const seals = sealsAfter(
      sealing.chainKeys.current(),
      head,
      await audit.unsealed(organizationId, batchSize),
    )
    const last = seals.at(-1)
    if (last === undefined) return 0
    await audit.seal(seals)
    await moveHead(sealing, audit, { ...head, organizationId, sequence: last.sequence, hash: last.hash })
    return seals.length
  })
}
