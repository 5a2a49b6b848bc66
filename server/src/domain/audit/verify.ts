import type { AuditLogVerification } from '@parley/contract'
import type { AuditStore, ChainHead, StoredAuditRecord } from '../../ports/audit-store.js'
import type { Stores } from '../../ports/database.js'
import type { Caller } from '../caller.js'
import { canonicalText } from './canonical-text.js'
import { hashAfter } from './seal.js'

const pageSize = 500

/** Walks the chain from its beginning and says where, if anywhere, it was tampered with. */
export async function verifyAuditLog({ audit }: Stores, caller: Caller): Promise<AuditLogVerification> {
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
    const mistake = findMistake(record, checked)
    if (mistake !== null) return broken(checked.sequence + 1, mistake)
    checked = { sequence: record.sequence ?? 0, hash: record.hash ?? '' }
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

function findMistake(record: StoredAuditRecord, previous: ChainHead): string | null {
  const place = previous.sequence + 1
  if (record.sequence !== place) return `Record ${place} is missing.`
  if (canonicalText(record) !== record.canonical) return `Record ${place} was changed after it was written.`
  if (hashAfter(previous.hash, record.canonical) !== record.hash)
    return `The hash of record ${place} does not fit.`
  return null
}
