import type { ApprovalRecord } from '../../../ports/approval-store.js'
import type { Clock } from '../../../ports/clock.js'
import type { Stores } from '../../../ports/database.js'
import { recordChange } from '../../audit/record-change.js'
import type { Caller } from '../../caller.js'

/** Writes the audit record of a decision, the same whichever way it came. */
export async function recordDecision(
  stores: Stores,
  clock: Clock,
  caller: Caller,
  { id, state, conversationId, callId, tool }: ApprovalRecord,
): Promise<void> {
  await recordChange(stores, clock, caller, {
    action: state === 'approved' ? 'approval.approve' : 'approval.reject',
    type: 'Approval',
    id,
    details: { conversationId, callId, tool },
  })
}
