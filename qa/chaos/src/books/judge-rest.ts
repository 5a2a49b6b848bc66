import type { BrokenPromise } from './broken-promise.js'
import { effectOf } from './judge-calls.js'
import type { DecisionEntry, LoadBooks } from './load-books.js'
import type { OutsideBooks } from './outside-books.js'
import type { StoredBooks } from './stored-books.js'

/** Checks that every session has an end and a reason. */
export function judgeSessions({ sessions }: StoredBooks): readonly BrokenPromise[] {
  return sessions
    .filter(
      ({ startedAt, endedAt, endReason }) => startedAt !== null && (endedAt === null || endReason === null),
    )
    .map(({ id, conversationId, startedAt, endedAt }) => ({
      promise: 'sessions',
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
  load: LoadBooks,
  { effects }: Pick<OutsideBooks, 'effects'>,
  { approvals, messages }: Pick<StoredBooks, 'approvals' | 'messages'>,
): readonly BrokenPromise[] {
  const done = new Set(effects.map(({ effect }) => effect))
  return approvals.flatMap((approval) => {
    const { id, callId, conversationId, state, decidedAt, deadline } = approval
    const at = Date.parse(decidedAt ?? deadline)
    const broken = (what: string): BrokenPromise => ({
      promise: 'approvals',
      what: `the approval of ${callId} ${what}`,
      at,
      ids: [id, callId, conversationId],
    })
    const faults: BrokenPromise[] = []
    if (state === 'waiting') faults.push(broken('still waits'))
    else if (!approval.isFinished) faults.push(broken(`is ${state}, but its call has not ended`))
    const isMeant = (each: DecisionEntry) => each.callId === callId && each.conversationId === conversationId
    const told = load.decisions.filter((each) => isMeant(each) && each.acknowledgedAt !== null)
    const kinds = new Set(told.map(({ decision }) => (decision === 'approve' ? 'approved' : 'rejected')))
    if (kinds.size > 1) faults.push(broken('was acknowledged both as approved and as rejected'))
    for (const kind of kinds)
      if (kind !== state) faults.push(broken(`was acknowledged as ${kind}, but is ${state}`))
    if (state === 'expired' && load.decisions.some((each) => isMeant(each) && wasInTime(each)))
      faults.push(broken('expired before the announced deadline'))
    const effect = effectOf(approval)
    // A repetition of a call with an unknown outcome also asks for approval. The first call may have run.
    const isRepeated = (messages.get(conversationId) ?? []).some(
      (message) => message.id !== approval.messageId && effectOf(message) === effect,
    )
    if (state !== 'approved' && done.has(effect) && !isRepeated)
      faults.push(broken(`is ${state}, but its tool ran`))
    return faults
  })
}

/** A decision needs a moment to arrive. */
const deadlineSlackMilliseconds = 2000

const wasInTime = ({ refusedAt, deadlineAt }: DecisionEntry) =>
  refusedAt !== null && deadlineAt !== null && refusedAt < deadlineAt - deadlineSlackMilliseconds

/** Checks that every accepted file can be read back unchanged. */
export function judgeFiles(load: LoadBooks, { files }: StoredBooks): readonly BrokenPromise[] {
  return load.files.flatMap(({ id, hash, acceptedAt }): BrokenPromise[] => {
    const found = files.get(id)
    if (found?.kind === 'readable' && found.hash === hash) return []
    const state = found?.kind === 'readable' ? 'has different content' : `is answered with ${found?.status}`
    return [{ promise: 'files', what: `the file ${id} was accepted but ${state}`, at: acceptedAt, ids: [id] }]
  })
}

/** Checks that each committed event of a webhook was delivered at least once. */
export function judgeWebhooks(outside: OutsideBooks, stored: StoredBooks): readonly BrokenPromise[] {
  return stored.owedDeliveries
    .filter((owed) => outside.delivered[owed] === undefined)
    .map((owed) => ({
      ...{ promise: 'webhooks', what: `no receiver got ${owed}`, at: null },
      ids: [owed.split(' ')[1] ?? owed],
    }))
}

export function judgeAudits({ audits }: StoredBooks): readonly BrokenPromise[] {
  return audits.flatMap(({ organizationId, isValid, unsealed, detail }): BrokenPromise[] => {
    const broken = (what: string): BrokenPromise => ({ promise: 'audit', what, at: null, ids: [] })
    if (!isValid) return [broken(`the audit log of ${organizationId} is not valid: ${detail}`)]
    return unsealed > 0 ? [broken(`${unsealed} records of ${organizationId} were never sealed`)] : []
  })
}

/** Reports rows that the database still holds as under way after everything has ended. */
export function judgeLeftovers({ leftovers }: StoredBooks): readonly BrokenPromise[] {
  return Object.entries(leftovers).map(([name, count]) => ({
    ...{ promise: 'leftovers', what: `${count} ${name} are left`, at: null },
    ids: [],
  }))
}

/** Reports answers that no outage explains. */
export function judgeAnswers({ strange }: LoadBooks): readonly BrokenPromise[] {
  return strange.map(({ what, at }) => ({ promise: 'answers', what, at, ids: [] }))
}
