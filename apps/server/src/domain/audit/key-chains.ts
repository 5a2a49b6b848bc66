import type { Stores } from '../../ports/database.js'
import { systemCaller } from '../caller-scope.js'
import { moveHead, type Sealing } from './chain-head.js'
import { recordChange } from './record-change.js'

/**
 * Goes over from bare hashes to keyed ones, once in the life of an installation: what stands in each chain by now keeps
 * its bare hashes, up to a place that is sealed, and whatever comes later has a key. Each chain tells of it itself.
 */
export async function keyChains(sealing: Sealing, stores: Stores): Promise<void> {
  const { audit } = stores
  const { id: keyId } = sealing.chainKeys.current()
  for (const organizationId of await audit.organizationsNotSealedWith(keyId)) {
    const head = await audit.lockHead(organizationId)
    if (head.seal !== null) continue
    await moveHead(sealing, audit, { ...head, organizationId, bareThrough: head.sequence })
    await recordChange(
      sealing.clock,
      { stores, caller: systemCaller(organizationId) },
      {
        action: 'audit.key',
        type: 'AuditLog',
        id: null,
        details: { bareThrough: head.sequence, hash: head.hash, keyId },
      },
    )
  }
}
