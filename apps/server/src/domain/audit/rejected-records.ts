import type { AuditLogVerification } from '@parley/contract'
import type { AuditStore } from '../../ports/audit-store.js'
import { isSealable, type Judgement, mayBeginWith } from './judge-record.js'

const pageSize = 500
const maxNamed = 100

export interface UnsealedRecords
  extends Pick<AuditLogVerification, 'unsealedCount' | 'rejectedCount' | 'rejectedIds'> {
  /** Whether a chain without a head may begin with the first of these records. */
  readonly mayBegin: boolean
}

/** Reads all unsealed records and applies the sealer's rules to them. */
export async function judgeUnsealed(
  judgement: Judgement,
  audit: AuditStore,
  organizationId: string,
): Promise<UnsealedRecords> {
  const rejectedIds: string[] = []
  let [unsealedCount, rejectedCount, mayBegin] = [0, 0, false]
  for (let afterId: string | null = null; ; ) {
    const page = await audit.unsealed(organizationId, { afterId, limit: pageSize })
    const [first] = page
    if (afterId === null && first !== undefined) mayBegin = mayBeginWith(judgement, first)
    const rejected = page.filter((record) => !isSealable(judgement, record))
    unsealedCount += page.length
    rejectedCount += rejected.length
    rejectedIds.push(...rejected.slice(0, maxNamed - rejectedIds.length).map(({ id }) => id))
    if (page.length < pageSize) return { unsealedCount, rejectedCount, rejectedIds, mayBegin }
    afterId = page.at(-1)?.id ?? null
  }
}
