import type { AuditChangeover, AuditStore } from '../../ports/audit-store.js'
import type { KeyRing } from './key-ring.js'
import { changeoverSealOf } from './record-signature.js'

/** The records of a chain that may lack a signature and a time of sealing. */
export interface Changeover {
  readonly unsignedThrough: number
  /** Null if no record may be sealed without a signature. */
  readonly unsignedUntil: string | null
  /** Whether the organization has a statement of its own, because it existed at the upgrade. */
  readonly isOwn: boolean
}

/** Every record needs a signature and a time of sealing. */
export const noChangeover: Changeover = { unsignedThrough: 0, unsignedUntil: null, isOwn: false }

/**
 * Reads the statement of the upgrade to signatures. The migration makes it once, in its own transaction, and a forged
 * one would need the secret. If it was removed, every record needs a signature.
 */
export async function readChangeover(
  keyRing: KeyRing,
  audit: AuditStore,
  organizationId: string,
): Promise<Changeover> {
  return openChangeover(keyRing, await audit.findChangeover(organizationId), organizationId)
}

/** Returns the records of an organization's chain that a statement exempts. Returns none if its seal does not match. */
export function openChangeover(
  keyRing: KeyRing,
  found: AuditChangeover | null,
  organizationId: string,
): Changeover {
  const key = found === null ? undefined : keyRing.get(found.keyId)
  if (found === null || key === undefined || changeoverSealOf(key, found) !== found.seal) return noChangeover
  const { unsignedThrough, unsignedUntil } = found
  const isOwn = found.organizationId === organizationId
  // A chain without a statement of its own began after the upgrade. An instance of the previous version may have begun
  // it.
  return { unsignedThrough: isOwn ? unsignedThrough : 0, unsignedUntil, isOwn }
}
