import type { RefusalCode } from '@parley/contract'
import type { RealtimeSessionRecord } from '../../../ports/realtime-session-store.js'
import type { WaitingApprovals } from './waiting-approvals.js'

interface Refusal {
  readonly code: RefusalCode
  readonly message: string
}

/** Takes a client's decision to the waitingApprovals. Null where it counts; else what to tell the client. */
export async function decideAsClient(
  waitingApprovals: WaitingApprovals,
  { id, organizationId, conversationId }: RealtimeSessionRecord,
  callId: string,
  decision: 'approve' | 'reject',
  reason: string | null,
): Promise<Refusal | null> {
  try {
    const isDecided = await waitingApprovals.decide(organizationId, conversationId, callId, {
      state: decision === 'approve' ? 'approved' : 'rejected',
      decidedBy: { type: 'client', id, name: null },
      reason,
    })
    return isDecided
      ? null
      : { code: 'approval_not_pending', message: `No call ${callId} waits for approval.` }
  } catch {
    return {
      code: 'approval_not_recorded',
      message: `The decision on ${callId} could not be written down. The call still waits; send it again.`,
    }
  }
}
