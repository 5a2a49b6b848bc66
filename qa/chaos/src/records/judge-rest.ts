import type { ClientRecords, DecisionEntry } from './client-records.js'
import type { ExternalRecords } from './external-records.js'
import { effectOf } from './judge-calls.js'
import type { StoredRecords } from './stored-records.js'
import type { Violation } from './violation.js'

/** Checks that every session has an end and a reason. */
export function judgeSessions({ sessions }: StoredRecords): readonly Violation[] {
  return sessions
    .filter(
      ({ startedAt, endedAt, endReason }) => startedAt !== null && (endedAt === null || endReason === null),
    )
    .map(({ id, conversationId, startedAt, endedAt }) => ({
      invariant: 'sessions',
      what: `the session ${id} has ${endedAt === null ? 'no end' : 'no end reason'}`,
      at: Date.parse(startedAt ?? ''),
      ids: [id, conversationId],
    }))
}

/**
 * Checks that every approval has one outcome. If a decision was acknowledged, the outcome is the first
 * decision.
 */
export function judgeApprovals(
  load: ClientRecords,
  { effects }: Pick<ExternalRecords, 'effects'>,
  { approvals, messages }: Pick<StoredRecords, 'approvals' | 'messages'>,
): readonly Violation[] {
  const done = new Set(effects.map(({ effect }) => effect))
  return approvals.flatMap((approval) => {
    const { id, callId, conversationId, state, decidedAt, deadline } = approval
    const at = Date.parse(decidedAt ?? deadline)
    const violation = (what: string): Violation => ({
      invariant: 'approvals',
      what: `the approval of ${callId} ${what}`,
      at,
      ids: [id, callId, conversationId],
    })
    const faults: Violation[] = []
    if (state === 'waiting') faults.push(violation('still waits'))
    else if (!approval.isFinished) faults.push(violation(`is ${state}, but its call has not ended`))
    const isMeant = (each: DecisionEntry) => each.callId === callId && each.conversationId === conversationId
    const acknowledged = load.decisions.filter((each) => isMeant(each) && each.acknowledgedAt !== null)
    const kinds = new Set(
      acknowledged.map(({ decision }) => (decision === 'approve' ? 'approved' : 'rejected')),
    )
    if (kinds.size > 1) faults.push(violation('was acknowledged both as approved and as rejected'))
    for (const kind of kinds)
      if (kind !== state) faults.push(violation(`was acknowledged as ${kind}, but is ${state}`))
    if (state === 'expired' && load.decisions.some((each) => isMeant(each) && wasInTime(each)))
      faults.push(violation('expired before the announced deadline'))
    const effect = effectOf(approval)
    // A repetition of a call with an unknown outcome also asks for approval. The first call may have run.
    const isRepeated = (messages.get(conversationId) ?? []).some(
      (message) => message.id !== approval.messageId && effectOf(message) === effect,
    )
    if (state !== 'approved' && done.has(effect) && !isRepeated)
      faults.push(violation(`is ${state}, but its tool ran`))
    return faults
  })
}

/** A decision takes some time to arrive. */
const deadlineSlackMilliseconds = 2000

const wasInTime = ({ rejectedAt, deadlineAt }: DecisionEntry) =>
  rejectedAt !== null && deadlineAt !== null && rejectedAt < deadlineAt - deadlineSlackMilliseconds

/** Checks that every accepted file can be read back unchanged. */
export function judgeFiles(load: ClientRecords, { files }: StoredRecords): readonly Violation[] {
  return load.files.flatMap(({ id, hash, acceptedAt }): Violation[] => {
    const found = files.get(id)
    if (found?.kind === 'readable' && found.hash === hash) return []
    const state = found?.kind === 'readable' ? 'has different content' : `is answered with ${found?.status}`
    return [
      { invariant: 'files', what: `the file ${id} was accepted but ${state}`, at: acceptedAt, ids: [id] },
    ]
  })
}

/** Checks that each committed event of a webhook was delivered at least once. */
export function judgeWebhooks(outside: ExternalRecords, stored: StoredRecords): readonly Violation[] {
  return stored.owedDeliveries
    .filter((owed) => outside.delivered[owed] === undefined)
    .map((owed) => ({
      invariant: 'webhooks',
      what: `no receiver got ${owed}`,
      at: null,
      ids: [owed.split(' ')[1] ?? owed],
    }))
}

export function judgeAudits({ audits }: StoredRecords): readonly Violation[] {
  return audits.flatMap(({ organizationId, isValid, unsealed, detail }): Violation[] => {
    const violation = (what: string): Violation => ({ invariant: 'audit', what, at: null, ids: [] })
    if (!isValid) return [violation(`the audit log of ${organizationId} is not valid: ${detail}`)]
    return unsealed > 0 ? [violation(`${unsealed} records of ${organizationId} were never sealed`)] : []
  })
}

/** Reports rows that the database still holds as under way after everything has ended. */
export function judgeLeftovers({ leftovers }: StoredRecords): readonly Violation[] {
  return Object.entries(leftovers).map(([name, count]) => ({
    invariant: 'leftovers',
    what: `${count} ${name} are left`,
    at: null,
    ids: [],
  }))
}

/** Reports answers that no outage explains. */
export function judgeAnswers({ strange }: ClientRecords): readonly Violation[] {
  return strange.map(({ what, at }) => ({ invariant: 'answers', what, at, ids: [] }))
}
