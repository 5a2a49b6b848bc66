import type { StoredAuditRecord } from '../../ports/audit-store.js'

/** The part of a record that is sealed: everything but the seal itself. */
type Sealed = Omit<StoredAuditRecord, 'canonical' | 'sequence' | 'hash'>

/** The one spelling of a record: JSON with its keys in order, so that equal records have equal texts. */
export function canonicalText(record: Sealed): string {
  const {
    id,
    organizationId,
    at,
    actor,
    action,
    resourceType,
    resourceId,
    outcome,
    ipAddress,
    requestId,
    details,
  } = record
  return canonicalJson({
    id,
    organizationId,
    at,
    actor,
    action,
    resourceType,
    resourceId,
    outcome,
    ipAddress,
    requestId,
    details,
  })
}

export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  )
}
