import type { ChainedRecord, NewAuditRecord } from '../../ports/audit-store.js'

/** The sealed part of a record: everything except the seal. */
type Sealed = Omit<NewAuditRecord, 'canonical'>

/**
 * Returns the canonical text of a record. It is independent of columns that are added later, so that existing
 * seals stay valid.
 */
export function canonicalText(record: Sealed): string {
  return spell(record, JSON.stringify(inOrder(record.details)))
}

/** Returns whether the fields of a record still match the sealed text. */
export function isAsWritten(record: ChainedRecord): boolean {
  const { canonical, detailsText } = record
  // The keys of stored details are usually sorted already. This check skips parsing, which takes longer than
  // the rest of the function.
  return (
    spell(record, detailsText) === canonical ||
    spell(record, JSON.stringify(inOrder(JSON.parse(detailsText)))) === canonical
  )
}

/** Returns the details with their keys in the sealing order. */
export function orderedDetails(details: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.keys(details)
      .sort()
      .map((key) => [key, inOrder(details[key])]),
  )
}

/**
 * Returns the same text as `canonicalJson`, built from parts in a fixed order. This takes 2 µs instead of 15
 * µs, which matters when a million records are verified. The text is unambiguous, because each part is a
 * complete JSON value.
 */
function spell(record: Omit<Sealed, 'details'>, details: string): string {
  const { action, actor, at, id, ipAddress, organizationId, outcome, requestId } = record
  const { resourceId, resourceType } = record
  return (
    `{"action":${jsonText(action)},"actor":{"id":${jsonText(actor.id)},"name":${jsonText(actor.name)},"type":${jsonText(actor.type)}},` +
    `"at":${jsonText(at)},"details":${details},"id":${jsonText(id)},"ipAddress":${jsonText(ipAddress)},` +
    `"organizationId":${jsonText(organizationId)},"outcome":${jsonText(outcome)},"requestId":${jsonText(requestId)},` +
    `"resourceId":${jsonText(resourceId)},"resourceType":${jsonText(resourceType)}}`
  )
}

/** Characters that need no escape in JSON. */
const plain = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/

/** Encodes a string as JSON. */
export function jsonText(value: string | null): string {
  if (value === null) return 'null'
  return plain.test(value) ? `"${value}"` : JSON.stringify(value)
}

/** Returns a copy with sorted keys. Values with a `toJSON` method are returned unchanged. */
function inOrder(part: unknown): unknown {
  if (typeof part !== 'object' || part === null) return part
  if (Array.isArray(part)) return part.map(inOrder)
  if ('toJSON' in part && typeof part.toJSON === 'function') return part
  const entries = Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([key, value]) => [key, inOrder(value)]))
}
