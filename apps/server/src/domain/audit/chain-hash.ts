import { createHash, createHmac } from 'node:crypto'
import type { ChainExtent } from '../../ports/audit-store.js'
import type { ChainKey } from '../../ports/secrets.js'
import { canonicalJson } from '../json-text.js'

/**
 * The hash of a record behind another one. Whoever can write every row of the database can compute a bare one, so it is
 * made with a key that is not there; null for records of the time before there was one.
 */
export function hashAfter(key: ChainKey | null, previous: string, canonical: string): string {
  const hash = key === null ? createHash('sha256') : createHmac('sha256', key.bytes)
  return hash.update(`${previous}\n${canonical}`).digest('hex')
}

/** The seal of a head. Its text is JSON with a field of its own, so that it is never one that a record is sealed over. */
export function sealOf(
  key: ChainKey,
  organizationId: string,
  head: ChainExtent & { readonly sealedAt: string | null },
): string {
  const { sequence, hash, bareThrough, removedThrough, removedHash, sealedAt } = head
  const text = canonicalJson({
    auditHead: { organizationId, sequence, hash, bareThrough, removedThrough, removedHash, sealedAt },
    keyId: key.id,
  })
  return createHmac('sha256', key.bytes).update(text).digest('hex')
}
