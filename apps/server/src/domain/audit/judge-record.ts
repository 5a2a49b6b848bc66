import { changeoverHours, type StoredAuditRecord } from '../../ports/audit-store.js'
import { canonicalText } from './canonical-text.js'
import type { Changeover } from './changeover.js'
import type { KeyRing } from './key-ring.js'
import { isSignedBy } from './record-signature.js'

const hourMilliseconds = 60 * 60 * 1000

/** How far an instance's clock may be behind the database's clock. */
const clockToleranceMilliseconds = 60_000

export interface Judgement {
  readonly keyRing: KeyRing
  readonly changeover: Changeover
  readonly now: string
}

/**
 * Returns whether an unsealed record may be sealed: this service wrote it, and its fields match its
 * signature. Records without a signature are accepted only for a limited time after the upgrade to
 * signatures, because instances of the previous version may still be running.
 */
export function isSealable({ keyRing, changeover, now }: Judgement, record: StoredAuditRecord): boolean {
  if (canonicalText(record) !== record.canonical) return false
  const { signature } = record
  if (signature !== null) return isSignedBy(keyRing, { ...record, signature })
  const { unsignedUntil } = changeover
  return unsignedUntil !== null && now < unsignedUntil && record.at < unsignedUntil
}

/**
 * Returns whether a chain without a head may begin with this record. Every organization gets a head in the
 * transaction that creates it. Therefore, a missing head was removed, unless an instance of the previous
 * version has just created the organization.
 */
export function mayBeginWith(judgement: Judgement, record: StoredAuditRecord): boolean {
  return (
    record.signature === null &&
    record.action === 'organization.create' &&
    record.resourceId === record.organizationId &&
    wasCreatedAfterUpgrade(record.organizationId, judgement.changeover) &&
    isSealable(judgement, record)
  )
}

/**
 * Returns whether the organization was created after the upgrade. Organizations from before the upgrade have
 * their own changeover record. An attacker could delete that record, but cannot change the organization's id,
 * because callers send it in every request. The id is a version 7 UUID, which contains its creation time.
 */
function wasCreatedAfterUpgrade(organizationId: string, { unsignedUntil, isOwn }: Changeover): boolean {
  if (unsignedUntil === null || isOwn) return false
  const digits = organizationId.replaceAll('-', '')
  const createdAt = digits[12] === '7' ? Number.parseInt(digits.slice(0, 12), 16) : 0
  const upgradedAt = Date.parse(unsignedUntil) - changeoverHours * hourMilliseconds
  return createdAt >= upgradedAt - clockToleranceMilliseconds
}
