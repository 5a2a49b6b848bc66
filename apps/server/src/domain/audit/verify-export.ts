import type { AuditLogHead, AuditLogRecord } from '@parley/contract'
import type { ChainPosition } from '../../ports/audit-store.js'
import type { ChainKey } from '../../ports/secrets.js'
import { canonicalText } from './canonical-text.js'
import { headOf, isEmpty, isSealedWith } from './chain-head.js'
import { openChangeover } from './changeover.js'
import { checkNext } from './check-record.js'
import type { KeyRing } from './key-ring.js'
import { NamedRecords } from './named-records.js'

/** Exported records are sorted by creation time, which is nearly the order of the chain. */
const maxOutOfOrder = 10_000

/** A head from the API. Versions without signatures had no changeover record. */
export type ExportedHead = Omit<AuditLogHead, 'changeover'> & {
  readonly changeover?: AuditLogHead['changeover'] | undefined
}

export interface ExportToVerify {
  /** Must be fetched before the export. Records that are sealed later are ignored. */
  readonly head: ExportedHead
  readonly records: AsyncIterable<AuditLogRecord>
  readonly keys: readonly ChainKey[]
  /** Fetches the keys of older secrets. Only called if a record was sealed with one of them. */
  readonly olderKeys: () => Promise<readonly ChainKey[]>
}

export interface ExportVerification {
  readonly valid: boolean
  readonly checkedCount: number
  readonly brokenSequence: number | null
  readonly lateCount: number
  readonly lateSequences: readonly number[]
  readonly unsignedCount: number
  readonly unsignedSequences: readonly number[]
  readonly detail: string
}

/** Verifies an exported chain up to its head, without access to the database. */
export async function verifyExport({
  head,
  records,
  keys,
  olderKeys,
}: ExportToVerify): Promise<ExportVerification> {
  const { organizationId, bareThrough, removedThrough } = head
  const keyRing = new Map(keys.map((key) => [key.id, key]))
  let hasOlderKeys = false
  const named = new NamedRecords()
  let checked = { sequence: removedThrough, hash: head.removedHash ?? '' }
  const conclude = (brokenSequence: number | null, detail: string): ExportVerification => ({
    valid: brokenSequence === null,
    checkedCount: checked.sequence - removedThrough,
    brokenSequence,
    ...named.found,
    detail: `${detail}${named.summary}`,
  })

  /** Fetches the retired keys only if they are needed. */
  async function requireKey(keyId: string | null): Promise<void> {
    if (keyId === null || keyRing.has(keyId) || hasOlderKeys) return
    hasOlderKeys = true
    for (const key of await olderKeys()) keyRing.set(key.id, key)
  }

  await requireKey(head.keyId)
  await requireKey(head.changeover?.keyId ?? null)
  // Every chain gets a sealed head when its organization is created, so an empty export without a head proves
  // nothing.
  if (isEmpty(headOf(head))) return conclude(1, 'The head of the chain is missing: it was removed.')
  if (!isSealedWith([...keyRing.values()], organizationId, headOf(head)))
    return conclude(Math.max(1, head.sequence), 'The head was not sealed with this secret.')
  const check = { keyRing, bareThrough, unsignedThrough: unsignedThroughOf(head, keyRing) }
  const waiting = new Map<number, AuditLogRecord>()
  for await (const record of records) {
    const { sequence } = record
    if (sequence === null || sequence > head.sequence || sequence <= removedThrough) continue
    if (sequence <= checked.sequence || waiting.has(sequence))
      return conclude(sequence, `Record ${sequence} is duplicated.`)
    waiting.set(sequence, record)
    for (let next = waiting.get(checked.sequence + 1); next; next = waiting.get(checked.sequence + 1)) {
      await requireKey(next.keyId)
      const canonical = canonicalText({ ...next, organizationId })
      const link = { ...next, organizationId, canonical, isAsWritten: true }
      const result = checkNext(check, checked, link)
      if (!result.ok) return conclude(checked.sequence + 1, result.mistake)
      waiting.delete(result.place.sequence)
      checked = result.place
      named.pass(result)
    }
    if (waiting.size > maxOutOfOrder) break
  }
  const { brokenSequence, detail } = findEnd(head, checked)
  return conclude(brokenSequence, detail)
}

/** Returns the result at the end of the export. */
function findEnd(
  head: ExportedHead,
  checked: ChainPosition,
): Pick<ExportVerification, 'brokenSequence' | 'detail'> {
  const next = checked.sequence + 1
  if (checked.sequence < head.sequence) return { brokenSequence: next, detail: `Record ${next} is missing.` }
  if (checked.hash !== (head.hash ?? ''))
    return { brokenSequence: checked.sequence, detail: 'The head does not belong to the last record.' }
  return {
    brokenSequence: null,
    detail: 'The chain is complete and unchanged up to its head.',
  }
}

/** The changeover of a head from a version without signatures: no record has a signature. */
function unsignedThroughOf({ changeover, organizationId, sequence }: ExportedHead, keyRing: KeyRing): number {
  if (changeover === undefined) return sequence
  if (changeover === null) return 0
  return openChangeover(keyRing, { ...changeover, organizationId }, organizationId).unsignedThrough
}
