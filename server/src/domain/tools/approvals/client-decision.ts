import type { RefusalCode } from '@parley/contract'
import type { RealtimeSessionRecord } from '../../../ports/realtime-session-store.js'
import type { Caller } from '../../scope.js'
import type { ApprovalChoice } from './decide-approval.js'
import type { WaitingApprovals } from './waiting-approvals.js'

export type ClientDecision =
  | { readonly ok: true }
  | { readonly ok: false; readonly code: RefusalCode; readonly message: string }

/** Decides in the name of a session's client. Where that does not count, the client gets the refusal. */
export async function decideAsClient(
  waitingApprovals: WaitingApprovals,
  { id, organizationId, conversationId }: RealtimeSessionRecord,
  choice: Omit<ApprovalChoice, 'conversationId'>,
): Promise<ClientDecision> {
  const { callId } = choice
  const caller: Caller = {
    organizationId,
    actor: { type: 'session', id, name: null },
    scopes: [],
    expiresAt: null,
    ipAddress: null,
    requestId: null,
  }
  try {
    if (await waitingApprovals.decide(caller, { ...choice, conversationId })) return { ok: true }
    return { ok: false, code: 'approval_not_pending', message: `No call ${callId} waits for approval.` }
  } catch {
    const message = `The decision on ${callId} could not be written down. The call still waits; send it again.`
    return { ok: false, code: 'approval_not_recorded', message }
  }
}
