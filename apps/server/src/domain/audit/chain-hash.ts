import { createHash, createHmac } from 'node:crypto'
import type { ChainExtent } from '../../ports/audit-store.js'
import type { ChainKey } from '../../ports/secrets.js'
import { canonicalJson } from '../json-text.js'

/**
 * Returns the hash of the record after the one with the hash `previous`. It is an HMAC whose key is not in
 * the database, because anyone with write access to the database could compute a plain hash. `key` is null
 * for records from before the keys were introduced.
 */
export function hashAfter(key: ChainKey | null, previous: string, canonical: string): string {
  const hash = key === null ? createHash('sha256') : createHmac('sha256', key.bytes)
  return hash.update(`${previous}\n${canonical}`).digest('hex')
}

/**
 * Returns the seal of a head. The sealed text starts with a separate field, so that it can never equal the
 * text of a record.
 */
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
