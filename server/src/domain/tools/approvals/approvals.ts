import type { Approval, ApprovalDecision, ApprovalListQuery, Page } from '@parley/contract'
import type { ApprovalRecord } from '../../../ports/approval-store.js'
import type { Clock } from '../../../ports/clock.js'
import type { Stores } from '../../../ports/database.js'
import { DomainError, notFound } from '../../domain-error.js'
import type { Caller, Scope } from '../../scope.js'
import { recordDecision } from './record-decision.js'

const decidedStates = { approve: 'approved', reject: 'rejected' } as const

export type Approvals = ReturnType<typeof makeApprovals>

export function makeApprovals({ clock }: { readonly clock: Clock }) {
  return {
    async list({ stores, caller }: Scope, query: ApprovalListQuery): Promise<Page<ApprovalRecord>> {
      // Nothing is shown as waiting that nobody can decide on any more.
      await stores.approvals.expireDue(clock.now().toISOString())
      const page = { offset: query.Offset, limit: query.Limit }
      const filter = { state: query.State, agentId: query.AgentId, conversationId: query.ConversationId }
      return { ...(await stores.approvals.list(caller.organizationId, filter, page)), ...page }
    },

    /** Decides on a call that waits, in whichever channel and on whichever instance. */
    async decide(
      { stores, caller }: Scope,
      conversationId: string,
      { callId, decision, reason }: ApprovalDecision,
    ): Promise<ApprovalRecord> {
      const { organizationId } = caller
      if ((await stores.conversations.find(organizationId, conversationId)) === null)
        throw notFound('Conversation')
      const decided = await stores.approvals.decide(
        organizationId,
        conversationId,
        callId,
        { state: decidedStates[decision], decidedBy: deciderOf(caller), reason },
        clock.now().toISOString(),
      )
      if (decided === null)
        throw new DomainError(
          'Conflict',
          await whyNothingWaits(stores, organizationId, conversationId, callId),
        )
      await recordDecision(clock, { stores, caller }, decided)
      return decided
    },
  }
}

function deciderOf({ actor }: Caller): NonNullable<Approval['decidedBy']> {
  const { type, id, name } = actor
  if ((type === 'api_key' || type === 'member') && id !== null) return { type, id, name }
  throw new Error('Only keys and members decide on calls.')
}

async function whyNothingWaits(
  { approvals }: Stores,
  organizationId: string,
  conversationId: string,
  callId: string,
): Promise<string> {
  const newest = { offset: 0, limit: 1 }
  const { items } = await approvals.list(organizationId, { conversationId, callId }, newest)
  const state = items[0]?.state
  if (state === undefined) return 'No call of this id has asked for approval in this conversation.'
  if (state === 'approved' || state === 'rejected') return `The call was ${state} already.`
  // One that still waits does so past its deadline.
  return 'The approval has expired; the call does not wait any more.'
}
