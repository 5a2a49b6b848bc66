import type { AuditChangeover, AuditStore } from '../../ports/audit-store.js'
import type { KeyRing } from './key-ring.js'
import { changeoverSealOf } from './record-signature.js'

/** How far the records of a chain may lack a signature and a time of sealing. */
export interface Changeover {
  readonly unsignedThrough: number
  /** Null if no record may be sealed without a signature. */
  readonly unsignedUntil: string | null
}

/** Every record needs both. */
const none: Changeover = { unsignedThrough: 0, unsignedUntil: null }

/**
 * Reads what the upgrade to signatures left behind. The statement is made once, in the transaction of the migration, and
 * nobody can make another one without the secret. If it was removed, every record needs a signature.
 */
export async function readChangeover(
  keyRing: KeyRing,
  audit: AuditStore,
  organizationId: string,
): Promise<Changeover> {
  return openChangeover(keyRing, await audit.findChangeover(organizationId), organizationId)
}

/** Returns what a statement allows the chain of an organization; nothing if its seal does not fit. */
export function openChangeover(
  keyRing: KeyRing,
  found: AuditChangeover | null,
  organizationId: string,
): Changeover {
  const key = found === null ? undefined : keyRing.get(found.keyId)
  if (found === null || key === undefined || changeoverSealOf(key, found) !== found.seal) return none
  const { unsignedThrough, unsignedUntil } = found
  // A chain without a statement of its own began after the upgrade. An instance of the version before may have begun it.
  return { unsignedThrough: found.organizationId === organizationId ? unsignedThrough : 0, unsignedUntil }
}
