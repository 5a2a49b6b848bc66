import type { ChainHead, ChainPosition } from '../../ports/audit-store.js'
import type { Stores } from '../../ports/database.js'
import { systemCaller } from '../caller-scope.js'
import { isGenuine, moveHead, type Sealing } from './chain-head.js'
import { readChangeover } from './changeover.js'
import { checkNext, linkOf } from './check-record.js'
import { type KeyRingDependencies, openKeyRing } from './key-ring.js'
import { recordChange } from './record-change.js'

export interface RemoveRecordsDependencies extends Sealing, KeyRingDependencies {}

/**
 * Removes the oldest records of chains that are older than the given time, at most `limit`. Returns the
 * number of removed records. Records are verified before they are removed. The sealed head stores the
 * position and hash of the last removed record, so that the chain continues from there, and an audit record
 * documents the removal. Nothing is removed from a broken chain, because it is evidence.
 */
export async function removeAuditRecords(
  dependencies: RemoveRecordsDependencies,
  stores: Stores,
  { moment, limit }: { readonly moment: string; readonly limit: number },
): Promise<number> {
  let left = limit
  for (const organizationId of await stores.audit.organizationsWithRecordsBefore(moment)) {
    left -= await removeFromChain(dependencies, stores, { organizationId, moment, limit: left })
    if (left === 0) break
  }
  return limit - left
}

interface Removal {
  readonly organizationId: string
  readonly moment: string
  readonly limit: number
}

async function removeFromChain(
  dependencies: RemoveRecordsDependencies,
  stores: Stores,
  { organizationId, moment, limit }: Removal,
): Promise<number> {
  const head = await stores.audit.lockHead(organizationId)
  if (!isGenuine(dependencies.chainKeys, organizationId, head)) return 0
  const last = await lastIntactPosition(dependencies, stores, { organizationId, head, moment, limit })
  if (last === null) return 0
  await stores.audit.removeThrough(organizationId, last.sequence)
  const removed = { removedThrough: last.sequence, removedHash: last.hash }
  await moveHead(dependencies, stores.audit, { ...head, organizationId, ...removed })
  const count = last.sequence - head.removedThrough
  await recordChange(
    dependencies.clock,
    { stores, caller: systemCaller(organizationId) },
    { action: 'audit.remove', type: 'AuditLog', id: null, details: { ...removed, count, before: moment } },
  )
  return count
}

/**
 * Returns the position of the last expired record. Returns null if no record has expired or if an expired
 * record is broken.
 */
async function lastIntactPosition(
  dependencies: RemoveRecordsDependencies,
  stores: Stores,
  { organizationId, head, moment, limit }: Removal & { readonly head: ChainHead },
): Promise<ChainPosition | null> {
  const keyRing = await openKeyRing(dependencies, stores)
  const { unsignedThrough } = await readChangeover(keyRing, stores.audit, organizationId)
  const check = { keyRing, bareThrough: head.bareThrough, unsignedThrough }
  const start = { sequence: head.removedThrough, hash: head.removedHash }
  const places = { after: start.sequence, through: start.sequence + limit }
  const records = await stores.audit.readChain(organizationId, places)
  let last = start
  for (const record of records) {
    if (record.at >= moment) break
    const next = checkNext(check, last, linkOf(record))
    // Records before a broken one are preserved too, because they help to investigate it.
    if (!next.ok) return null
    last = next.place
  }
  return last === start ? null : last
}
