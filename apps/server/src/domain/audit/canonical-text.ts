import type { ChainedRecord, NewAuditRecord } from '../../ports/audit-store.js'

/** The part of a record that is sealed: everything but the seal itself. */
type Sealed = Omit<NewAuditRecord, 'canonical'>

/** The one spelling of a record: whatever columns are added to it, what was sealed keeps its text. */
export function canonicalText(record: Sealed): string {
  return spell(record, JSON.stringify(inOrder(record.details)))
}

/** Whether the fields of a record still say what it was sealed over. */
export function isAsWritten(record: ChainedRecord): boolean {
  const { canonical, detailsText } = record
  // Details are mostly stored with their keys in order; to parse them takes longer than all the rest.
  return (
    spell(record, detailsText) === canonical ||
    spell(record, JSON.stringify(inOrder(JSON.parse(detailsText)))) === canonical
  )
}

/** Details as they are stored: in the order in which they are sealed. */
export function orderedDetails(details: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.keys(details)
      .sort()
      .map((key) => [key, inOrder(details[key])]),
  )
}

/**
 * `canonicalJson` of a record, put together from parts whose order is known: 2 µs instead of 15, of which verifying a million
 * records has a million. No part can be taken for another: each is a whole JSON value.
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

/** Characters that JSON has no other spelling for. */
const plain = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/

/** A text as JSON. */
export function jsonText(value: string | null): string {
  if (value === null) return 'null'
  return plain.test(value) ? `"${value}"` : JSON.stringify(value)
}

/** A copy with its keys in order; what says itself how it is written stays as it is. */
function inOrder(part: unknown): unknown {
  if (typeof part !== 'object' || part === null) return part
  if (Array.isArray(part)) return part.map(inOrder)
  if ('toJSON' in part && typeof part.toJSON === 'function') return part
  const entries = Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([key, value]) => [key, inOrder(value)]))
}
