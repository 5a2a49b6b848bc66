import type { AuditChangeover, AuditStore } from '../../ports/audit-store.js'
import type { KeyRing } from './key-ring.js'
import { changeoverSealOf } from './record-signature.js'

/** How far the records of a chain may lack a signature and a time of sealing. */
export interface Changeover {
  readonly unsignedThrough: number
  /** Null if no record may be sealed without a signature. */
  readonly unsignedUntil: string | null
  /** Whether the organization has a statement of its own, because it existed at the upgrade. */
  readonly isOwn: boolean
}

/** Every record needs both. */
export const noChangeover: Changeover = { unsignedThrough: 0, unsignedUntil: null, isOwn: false }

/**
 * Reads the statement of the upgrade to signatures. The migration makes it once, in its own transaction, and another one
 * takes the secret. If it was removed, every record needs a signature.
 */
export async function readChangeover(
  keyRing: KeyRing,
  audit: AuditStore,
  organizationId: string,
): Promise<Changeover> {
  return openChangeover(keyRing, await audit.findChangeover(organizationId), organizationId)
}

/** Returns the records that a statement allows the chain of an organization; none if its seal does not fit. */
export function openChangeover(
  keyRing: KeyRing,
  found: AuditChangeover | null,
  organizationId: string,
): Changeover {
  const key = found === null ? undefined : keyRing.get(found.keyId)
  if (found === null || key === undefined || changeoverSealOf(key, found) !== found.seal) return noChangeover
  const { unsignedThrough, unsignedUntil } = found
  const isOwn = found.organizationId === organizationId
  // A chain without a statement of its own began after the upgrade. An instance of the version before may have begun it.
  return { unsignedThrough: isOwn ? unsignedThrough : 0, unsignedUntil, isOwn }
}
