import type { AuditLogVerification } from '@parley/contract'
import type { AuditStore, ChainedRecord, ChainHead, ChainPosition } from '../../ports/audit-store.js'
import type { Clock } from '../../ports/time.js'
import type { CallerScope } from '../caller-scope.js'
import { beginning, isEmpty, isGenuine } from './chain-head.js'
import { readChangeover } from './changeover.js'
import { checkNext, linkOf } from './check-record.js'
import { HeldHead } from './held-head.js'
import { type KeyRingDependencies, openKeyRing } from './key-ring.js'
import { NamedRecords } from './named-records.js'
import { judgeUnsealed } from './rejected-records.js'

/**
 * The number of records per query. It is large enough that queries take a small part of the time, and small
 * enough that other requests are not delayed.
 */
const pageSize = 1000

export interface VerifyDependencies extends KeyRingDependencies {
  readonly clock: Clock
}

/** Verifies the chain from its beginning. Returns where it was tampered with, if anywhere. */
export async function verifyAuditLog(
  dependencies: VerifyDependencies,
  { stores, caller }: CallerScope,
  held: ChainPosition | null = null,
): Promise<AuditLogVerification> {
  const { audit } = stores
  const { organizationId } = caller
  const keyRing = await openKeyRing(dependencies, stores)
  const changeover = await readChangeover(keyRing, audit, organizationId)
  const judgement = { keyRing, changeover, now: dependencies.clock.now().toISOString() }
  const { mayBegin, ...unsealed } = await judgeUnsealed(judgement, audit, organizationId)
  // Records that are sealed during verification are ignored, because verification ends at this head. Records
  // up to `bareThrough` are bare: they are older than the chain keys and were hashed without a key.
  const head = (await audit.findHead(organizationId)) ?? beginning
  const { bareThrough } = head
  const check = { keyRing, bareThrough, unsignedThrough: changeover.unsignedThrough }
  const named = new NamedRecords()
  const heldHead = new HeldHead(held)
  let start = startOf(head)
  let checked = start
  let checkedCount = 0
  const conclude = (brokenSequence: number | null, detail: string): AuditLogVerification => ({
    valid: brokenSequence === null,
    checkedCount,
    ...unsealed,
    brokenSequence,
    bareThrough,
    removedThrough: start.sequence,
    heldHead: heldHead.found,
    ...named.found,
    detail: `${detail}${named.summary}`,
  })
  heldHead.beginBehind(start)
  const read = (after: number) => audit.readChain(organizationId, { after, through: after + pageSize })
  // The next page is fetched while the current one is checked.
  let ahead: Promise<readonly ChainedRecord[]> | null = null
  while (checked.sequence < head.sequence) {
    const page: readonly ChainedRecord[] = await (ahead ?? read(checked.sequence))
    const last = page.at(-1)?.sequence ?? head.sequence
    ahead = last < head.sequence ? read(last) : null
    // This promise may never be awaited, so its rejection must be marked as handled.
    ahead?.catch(() => undefined)
    const mistake = checkPage(page)
    if (mistake === null) continue
    // Records that retention removes during verification do not count as missing.
    const present = (await audit.findHead(organizationId)) ?? beginning
    if (
      present.removedThrough <= checked.sequence ||
      !isGenuine(dependencies.chainKeys, organizationId, present)
    )
      return conclude(checked.sequence + 1, mistake)
    start = startOf(present)
    checked = start
    ahead = null
    heldHead.beginBehind(start)
  }

  /**
   * Continues with these records. Returns the error of the first invalid record, or null if all are valid.
   */
  function checkPage(page: readonly ChainedRecord[]): string | null {
    if (page.length === 0)
      return checked.sequence + pageSize < head.sequence
        ? `Record ${checked.sequence + 1} is missing.`
        : 'The last records are missing.'
    for (const record of page) {
      if (checked.sequence === head.sequence) return null
      const next = checkNext(check, checked, linkOf(record))
      if (!next.ok) return next.mistake
      checked = next.place
      checkedCount += 1
      named.pass(next)
      heldHead.pass(checked)
    }
    return null
  }

  const isUnchanged = checked.sequence > head.sequence || checked.hash === head.hash
  if (!isUnchanged)
    return conclude(checked.sequence, 'The head of the chain does not belong to its last record.')
  if (await isHeadSetBack(audit, organizationId, head))
    return conclude(head.sequence + 1, `Record ${head.sequence + 1} comes after the head of the chain.`)
  const lack =
    (mayBegin && isEmpty(head) ? null : headFault(dependencies, organizationId, head)) ??
    heldHead.finish(checked) ??
    rejection(head, unsealed)
  return lack === null ? conclude(null, successDetail(start)) : conclude(lack.brokenSequence, lack.detail)
}

interface Fault {
  readonly brokenSequence: number
  readonly detail: string
}

function headFault({ chainKeys }: VerifyDependencies, organizationId: string, head: ChainHead): Fault | null {
  if (isGenuine(chainKeys, organizationId, head)) return null
  const detail = isEmpty(head)
    ? 'The head of the chain is missing: it was removed.'
    : 'The head of the chain was not sealed by this service.'
  return { brokenSequence: Math.max(1, head.sequence), detail }
}

function rejection(
  { sequence }: ChainHead,
  { rejectedCount, rejectedIds }: Pick<AuditLogVerification, 'rejectedCount' | 'rejectedIds'>,
): Fault | null {
  if (rejectedCount === 0) return null
  return {
    brokenSequence: sequence + 1,
    detail: `${rejectedCount} unsealed records have no valid signature of this service. The first is ${rejectedIds[0]}.`,
  }
}

const startOf = ({ removedThrough, removedHash }: ChainHead): ChainPosition => ({
  sequence: removedThrough,
  hash: removedHash,
})

function successDetail({ sequence }: ChainPosition): string {
  return sequence === 0
    ? 'Every sealed record is present and unchanged.'
    : `Every sealed record after record ${sequence} is present and unchanged. Earlier records were removed at the end of their retention period.`
}

/**
 * Returns whether the head was moved back. Seals and the head are written in one transaction. If a record
 * follows the head, either it was sealed after the head was read, or the head was moved back.
 */
async function isHeadSetBack(audit: AuditStore, organizationId: string, head: ChainHead): Promise<boolean> {
  const beyond = await audit.firstPositionAfter(organizationId, head.sequence)
  if (beyond === null) return false
  const present = await audit.findHead(organizationId)
  return (present?.sequence ?? 0) < beyond
}
