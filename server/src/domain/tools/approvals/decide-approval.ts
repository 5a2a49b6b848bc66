import type { Approval } from '@parley/contract'
import type { ApprovalRecord } from '../../../ports/approval-store.js'
import type { Clock } from '../../../ports/clock.js'
import { recordChange } from '../../audit/record-change.js'
import type { Caller, CallerScope } from '../../caller-scope.js'

export interface ApprovalChoice {
  readonly conversationId: string
  readonly callId: string
  readonly decision: 'approve' | 'reject'
  readonly reason: string | null
}

const decidedStates = { approve: 'approved', reject: 'rejected' } as const

/**
 * Decides on a call that waits, and writes the audit record of it: the one way, whether the decision came over HTTP or
 * over a socket. Null where no such call waits.
 */
export async function decideApproval(
  clock: Clock,
  { stores, caller }: CallerScope,
  { conversationId, callId, decision, reason }: ApprovalChoice,
): Promise<ApprovalRecord | null> {
  const decided = await stores.approvals.decide(
    caller.organizationId,
    conversationId,
    callId,
    { state: decidedStates[decision], decidedBy: deciderOf(caller), reason },
    clock.now().toISOString(),
  )
  if (decided !== null)
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
  return decided
}

/** Whoever speaks in a session is known by the session alone. */
function deciderOf({ actor: { type, id, name } }: Caller): NonNullable<Approval['decidedBy']> {
  if (id !== null && type === 'session') return { type: 'client', id, name }
  if (id !== null && (type === 'api_key' || type === 'person')) return { type, id, name }
  throw new Error('Only keys, people and the clients of sessions decide on calls.')
}
