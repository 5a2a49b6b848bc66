import type { AuditLogHead, AuditLogRecord } from '@parley/contract'
import type { ChainKey } from '../../ports/chain-keys.js'
import { canonicalText } from './canonical-text.js'
import { headOf, isSealedWith } from './chain-head.js'
import { checkNext } from './check-record.js'

/** Records stand in the order of their making, which is nearly that of the chain. */
const maxOutOfOrder = 10_000

export interface ExportToVerify {
  /** Read before the export was: what was sealed later is not looked at. */
  readonly head: AuditLogHead
  readonly records: AsyncIterable<AuditLogRecord>
  readonly keys: readonly ChainKey[]
  /** Keys of older secrets, asked for where a record was sealed with none of the others. */
  readonly olderKeys: () => Promise<readonly ChainKey[]>
}

export interface ExportVerification {
  readonly valid: boolean
  readonly checkedCount: number
  readonly brokenSequence: number | null
  readonly detail: string
}

/** Walks an exported chain up to its head, without the database. */
export async function verifyExport({
  head,
  records,
  keys,
  olderKeys,
}: ExportToVerify): Promise<ExportVerification> {
  const { organizationId, bareThrough, removedThrough } = head
  const keyRing = new Map(keys.map((key) => [key.id, key]))
  let hasOlderKeys = false
  let checked = { sequence: removedThrough, hash: head.removedHash ?? '' }
  const conclude = (brokenSequence: number | null, detail: string): ExportVerification => ({
    valid: brokenSequence === null,
    checkedCount: checked.sequence - removedThrough,
    brokenSequence,
    detail,
  })

  /** The keys of secrets that were replaced are not asked for before they are needed. */
  async function requireKey(keyId: string | null): Promise<void> {
    if (keyId === null || keyRing.has(keyId) || hasOlderKeys) return
    hasOlderKeys = true
    for (const key of await olderKeys()) keyRing.set(key.id, key)
  }

  await requireKey(head.keyId)
  if (!isSealedWith([...keyRing.values()], organizationId, headOf(head)))
    return conclude(
      Math.max(1, head.sequence),
      'The head is not as a service with this secret has sealed it.',
    )
  const waiting = new Map<number, AuditLogRecord>()
  for await (const record of records) {
    const { sequence } = record
    if (sequence === null || sequence > head.sequence || sequence <= removedThrough) continue
    if (sequence <= checked.sequence || waiting.has(sequence))
      return conclude(sequence, `Record ${sequence} occurs twice.`)
    waiting.set(sequence, record)
    for (let next = waiting.get(checked.sequence + 1); next; next = waiting.get(checked.sequence + 1)) {
      await requireKey(next.keyId)
      const canonical = canonicalText({ ...next, organizationId })
      const { sequence: place, hash, keyId } = next
      const link = { sequence: place, hash, keyId, canonical, isAsWritten: true }
      const result = checkNext({ keyRing, bareThrough }, checked, link)
      if (!result.ok) return conclude(checked.sequence + 1, result.mistake)
      waiting.delete(result.place.sequence)
      checked = result.place
    }
    if (waiting.size > maxOutOfOrder) break
  }
  if (checked.sequence < head.sequence)
    return conclude(checked.sequence + 1, `Record ${checked.sequence + 1} is missing.`)
  if (checked.hash !== (head.hash ?? ''))
    return conclude(checked.sequence, 'The head does not belong to the last record.')
  return conclude(null, 'Every record up to the head is as it was written, and none is missing.')
}
