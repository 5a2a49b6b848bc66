import type { AuditLogVerification } from '@parley/contract'
import type { AuditStore, ChainHead, StoredAuditRecord } from '../../ports/audit-store.js'
import type { Stores } from '../../ports/database.js'
import type { Caller } from '../access/caller.js'
import { canonicalText } from './canonical-text.js'
import { hashAfter } from './seal.js'

const pageSize = 500

/** Walks the chain from its beginning and says where, if anywhere, it was tampered with. */
export async function verifyAuditLog({ audit }: Stores, caller: Caller): Promise<AuditLogVerification> {
  const beginning: ChainHead = { sequence: 0, hash: '' }
  // Records sealed while this runs are none of its business: it goes to the head it has seen.
  const head = (await audit.findHead(caller.organizationId)) ?? beginning
  let checked = beginning
  for await (const record of sealedRecords(audit, caller.organizationId, head.sequence)) {
    const mistake = findMistake(record, checked)
    if (mistake !== null) return broken(checked, mistake)
    checked = { sequence: record.sequence ?? 0, hash: record.hash ?? '' }
  }
  if (checked.sequence !== head.sequence) return broken(checked, 'The last records are missing.')
  if (checked.hash !== head.hash)
    return broken(checked, 'The head of the chain does not belong to its last record.')
  return {
    valid: true,
    checkedCount: checked.sequence,
    unsealedCount: await audit.countUnsealed(caller.organizationId),
    brokenSequence: null,
    detail: 'Every sealed record is as it was written, and none is missing.',
  }
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

function broken(checked: ChainHead, detail: string): AuditLogVerification {
  const brokenSequence = checked.sequence + 1
  return { valid: false, checkedCount: checked.sequence, unsealedCount: 0, brokenSequence, detail }
}

function findMistake(record: StoredAuditRecord, previous: ChainHead): string | null {
  const place = previous.sequence + 1
  if (record.sequence !== place) return `Record ${place} is missing.`
  if (canonicalText(record) !== record.canonical) return `Record ${place} was changed after it was written.`
  if (hashAfter(previous.hash, record.canonical) !== record.hash)
    return `The hash of record ${place} does not fit.`
  return null
}
