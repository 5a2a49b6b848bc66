import type { AuditLogVerification } from '@parley/contract'
import type { AuditStore, ChainHead, StoredAuditRecord } from '../../ports/audit-store.js'
import type { CallerScope } from '../caller-scope.js'
import { canonicalText } from './canonical-text.js'
import { hashAfter } from './seal.js'

const pageSize = 500

/** Walks the chain from its beginning and says where, if anywhere, it was tampered with. */
export async function verifyAuditLog({ stores, caller }: CallerScope): Promise<AuditLogVerification> {
  const { audit } = stores
  const { organizationId } = caller
  const unsealedCount = await audit.countUnsealed(organizationId)
  const beginning: ChainHead = { sequence: 0, hash: '' }
  // Records sealed while this runs are none of its business: it goes to the head it has seen.
  const head = (await audit.findHead(organizationId)) ?? beginning
  let checked = beginning
  const broken = (brokenSequence: number, detail: string): AuditLogVerification => ({
    valid: false,
    checkedCount: checked.sequence,
    unsealedCount,
    brokenSequence,
    detail,
  })
  for await (const record of sealedRecords(audit, organizationId, head.sequence)) {
    const next = checkNext(record, checked)
    if (!next.ok) return broken(checked.sequence + 1, next.mistake)
    checked = next.head
  }
  if (checked.sequence !== head.sequence) return broken(checked.sequence + 1, 'The last records are missing.')
  if (checked.hash !== head.hash)
    return broken(checked.sequence, 'The head of the chain does not belong to its last record.')
  if (await isHeadSetBack(audit, organizationId, head))
    return broken(head.sequence + 1, `Record ${head.sequence + 1} stands beyond the head of the chain.`)
  return {
    valid: true,
    checkedCount: checked.sequence,
    unsealedCount,
    brokenSequence: null,
    detail: 'Every sealed record is as it was written, and none is missing.',
  }
}

/** A seal and the head move in one transaction: a record beyond the head was sealed since then, or the head was moved. */
async function isHeadSetBack(audit: AuditStore, organizationId: string, head: ChainHead): Promise<boolean> {
  const [beyond] = await audit.readSealedAfter(organizationId, head.sequence, 1)
  if (!beyond) return false
  const present = await audit.findHead(organizationId)
  return (present?.sequence ?? 0) < (beyond.sequence ?? 0)
}

async function* sealedRecords(
  audit: AuditStore,
  organizationId: string,
  last: number,
): AsyncGenerator<StoredAuditRecord> {
  let sequence = 0
  while (sequence < last) {
    const page = await audit.readSealedAfter(organizationId, sequence, pageSize)
    yield* page.filter((record) => (record.sequence ?? 0) <= last)
    if (page.length === 0) return
    sequence = page.at(-1)?.sequence ?? last
  }
}

type CheckedRecord =
  | { readonly ok: true; readonly head: ChainHead }
  | { readonly ok: false; readonly mistake: string }

/** Whether a record is the next one behind `previous`, and the head of the chain if it is. */
function checkNext(record: StoredAuditRecord, previous: ChainHead): CheckedRecord {
  const sequence = previous.sequence + 1
  const hash = hashAfter(previous.hash, record.canonical)
  const mistaken = (mistake: string) => ({ ok: false, mistake }) as const
  if (record.sequence !== sequence) return mistaken(`Record ${sequence} is missing.`)
  if (canonicalText(record) !== record.canonical)
    return mistaken(`Record ${sequence} was changed after it was written.`)
  if (hash !== record.hash) return mistaken(`The hash of record ${sequence} does not fit.`)
  return { ok: true, head: { sequence, hash } }
}
