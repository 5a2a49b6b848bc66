import type { ApprovalRecord } from '../../../ports/approval-store.js'
import type { Clock } from '../../../ports/clock.js'
import { recordChange } from '../../audit/record-change.js'
import type { Scope } from '../../scope.js'

/** Writes the audit record of a decision, the same whichever way it came. */
export async function recordDecision(
  clock: Clock,
  scope: Scope,
  { id, state, conversationId, callId, tool }: ApprovalRecord,
): Promise<void> {
  await recordChange(clock, scope, {
    action: state === 'approved' ? 'approval.approve' : 'approval.reject',
    type: 'Approval',
    id,
    details: { conversationId, callId, tool },
  })
}
