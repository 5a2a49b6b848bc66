import type { Stores } from '../../ports/database.js'
import { systemCaller } from '../caller-scope.js'
import { moveHead, type Sealing } from './chain-head.js'
import { recordChange } from './record-change.js'

/**
 * Switches from plain hashes to keyed hashes, once per installation. Existing records of a chain keep their
 * plain hashes, and the sealed head stores the position of the last one. All later records have keyed hashes.
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
