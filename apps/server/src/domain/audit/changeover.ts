import type { AuditChangeover, AuditStore } from '../../ports/audit-store.js'
import type { KeyRing } from './key-ring.js'
import { changeoverSealOf } from './record-signature.js'

/**
 * The records of a chain that may lack a signature and a sealing time, because they were written before or
 * during the upgrade to signatures.
 */
export interface Changeover {
  readonly unsignedThrough: number
  /** Null if unsigned records are never accepted. */
  readonly unsignedUntil: string | null
  /** Whether the organization has its own changeover record, because it existed before the upgrade. */
  readonly isOwn: boolean
}

/** Requires a signature and a sealing time for every record. */
export const noChangeover: Changeover = { unsignedThrough: 0, unsignedUntil: null, isOwn: false }

/**
 * Reads the changeover record of the upgrade to signatures. The migration writes it once, in its own
 * transaction. It cannot be forged without the secret. If it was removed, every record needs a signature.
 */
export async function readChangeover(
  keyRing: KeyRing,
  audit: AuditStore,
  organizationId: string,
): Promise<Changeover> {
  return openChangeover(keyRing, await audit.findChangeover(organizationId), organizationId)
}

/**
 * Returns the exceptions that a changeover record allows for an organization's chain. Allows none if its seal
 * does not match.
 */
export function openChangeover(
  keyRing: KeyRing,
  found: AuditChangeover | null,
  organizationId: string,
): Changeover {
  const key = found === null ? undefined : keyRing.get(found.keyId)
  if (found === null || key === undefined || changeoverSealOf(key, found) !== found.seal) return noChangeover
  const { unsignedThrough, unsignedUntil } = found
  const isOwn = found.organizationId === organizationId
  // Without its own changeover record, the chain began after the upgrade, possibly on an instance of the
  // previous version.
  return { unsignedThrough: isOwn ? unsignedThrough : 0, unsignedUntil, isOwn }
}
