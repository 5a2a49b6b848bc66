import type { Approval, ApprovedBy } from '@parley/contract'
import type { ApprovalRecord, Decider } from '../../../ports/approval-store.js'
import type { Clock } from '../../../ports/clock.js'
import { recordChange } from '../../audit/record-change.js'
import type { Caller, CallerScope } from '../../caller-scope.js'

export interface ApprovalChoice {
  readonly conversationId: string
  readonly callId: string
  readonly decision: 'approve' | 'reject'
  readonly reason: string | null
}

/** The approval as it was decided, or why the decision did not count. */
export type DecisionOutcome =
  | { readonly type: 'decided'; readonly approval: ApprovalRecord }
  | { readonly type: 'notWaiting' }
  | { readonly type: 'notAllowed'; readonly approvedBy: ApprovedBy }

const decidedStates = { approve: 'approved', reject: 'rejected' } as const

/**
 * Decides on a call that waits, and writes the audit record of it: the one way, whether the decision came over HTTP or
 * over a socket. The call may be one that this caller may not decide on.
 */
export async function decideApproval(
  clock: Clock,
  { stores, caller }: CallerScope,
  { conversationId, callId, decision, reason }: ApprovalChoice,
): Promise<DecisionOutcome> {
  const at = clock.now().toISOString()
  const decided = await stores.approvals.decide(
    caller.organizationId,
    conversationId,
    callId,
    { state: decidedStates[decision], decidedBy: deciderOf(caller), reason },
    kindOf(caller),
    at,
  )
  if (decided === null) return whyNot({ stores, caller }, conversationId, callId, at)
  await recordChange(
    clock,
    { stores, caller },
    {
      action: `approval.${decision}`,
      type: 'Approval',
      id: decided.id,
      details: { conversationId, callId, tool: decided.tool },
    },
  )
  return { type: 'decided', approval: decided }
}

async function whyNot(
  { stores, caller }: CallerScope,
  conversationId: string,
  callId: string,
  at: string,
): Promise<DecisionOutcome> {
  const filter = { conversationId, callId, state: 'waiting' } as const
  const { items } = await stores.approvals.list(caller.organizationId, filter, { offset: 0, limit: 1 })
  const waiting = items.find(({ deadline, finishedAt }) => finishedAt === null && deadline > at)
  return waiting === undefined
    ? { type: 'notWaiting' }
    : { type: 'notAllowed', approvedBy: waiting.approvedBy }
}

function kindOf({ actor: { type, id } }: Caller): Decider {
  if (type === 'session') return { type: 'client' }
  return { type: 'caller', apiKeyId: type === 'api_key' ? id : null }
}

/** Whoever speaks in a session is known by the session alone. */
function deciderOf({ actor: { type, id, name } }: Caller): NonNullable<Approval['decidedBy']> {
  if (id !== null && type === 'session') return { type: 'client', id, name }
  if (id !== null && (type === 'api_key' || type === 'person')) return { type, id, name }
  throw new Error('Only keys, people and the clients of sessions decide on calls.')
}
