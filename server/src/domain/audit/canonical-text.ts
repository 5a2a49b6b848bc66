import type { StoredAuditRecord } from '../../ports/audit-store.js'
import { canonicalJson } from '../canonical-json.js'

/** The part of a record that is sealed: everything but the seal itself. */
type Sealed = Omit<StoredAuditRecord, 'canonical' | 'sequence' | 'hash' | 'keyId'>

/** The one spelling of a record: whatever columns are added to it, what was sealed keeps its text. */
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
