import type { StoredAuditRecord } from '../../ports/audit-store.js'

/** The part of a record that is sealed: everything but the seal itself. */
type Sealed = Omit<StoredAuditRecord, 'canonical' | 'sequence' | 'hash' | 'keyId'>

/**
 * The one spelling of a record: whatever columns are added to it, what was sealed keeps its text. It is `canonicalJson` of
 * these fields, put together from parts whose order is known: 7 µs instead of 15, of which verifying a million has a million.
 */
export function canonicalText(record: Sealed): string {
  const { action, actor, at, details } = record
  const { id, ipAddress, organizationId, outcome, requestId, resourceId, resourceType } = record
  const before = JSON.stringify({ action, actor: { id: actor.id, name: actor.name, type: actor.type }, at })
  const after = JSON.stringify({
    id,
    ipAddress,
    organizationId,
    outcome,
    requestId,
    resourceId,
    resourceType,
  })
  return `${before.slice(0, -1)},"details":${JSON.stringify(inOrder(details))},${after.slice(1)}`
}

/** A copy with its keys in order; what says itself how it is written stays as it is. */
function inOrder(part: unknown): unknown {
  if (typeof part !== 'object' || part === null) return part
  if (Array.isArray(part)) return part.map(inOrder)
  if ('toJSON' in part && typeof part.toJSON === 'function') return part
  const entries = Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([key, value]) => [key, inOrder(value)]))
}
