import type { Approval, ApprovalDecision, ApprovalListQuery, Page } from '@parley/contract'
import type { ApprovalRecord } from '../../../ports/approval-store.js'
import type { Clock } from '../../../ports/clock.js'
import type { Stores } from '../../../ports/database.js'
import type { CallerScope } from '../../caller-scope.js'
import { DomainError, notFound } from '../../domain-error.js'
import { decideApproval } from './decide-approval.js'
import { refusalOf } from './who-decides.js'

export type Approvals = ReturnType<typeof makeApprovals>

export function makeApprovals({ clock }: { readonly clock: Clock }) {
  return {
    async list({ stores, caller }: CallerScope, query: ApprovalListQuery): Promise<Page<Approval>> {
      // Nothing is shown as waiting that nobody can decide on any more.
      await stores.approvals.expireDue(clock.now().toISOString())
      const page = { offset: query.Offset, limit: query.Limit }
      const filter = {
        state: query.State,
        agentId: query.AgentId,
        conversationId: query.ConversationId,
        isWaiting: query.IsWaiting,
        rehearsal: query.Rehearsal,
      }
      const ordered = { ...page, order: query.Order }
      const { items, totalCount } = await stores.approvals.list(caller.organizationId, filter, ordered)
      return { items: items.map(titled), totalCount, ...page }
    },

    /** Decides on a call that waits, in whichever channel and on whichever instance. */
    async decide(
      { stores, caller }: CallerScope,
      conversationId: string,
      decision: ApprovalDecision,
    ): Promise<Approval> {
      const { organizationId } = caller
      if ((await stores.conversations.find(organizationId, conversationId)) === null)
        throw notFound('Conversation')
      const decided = await decideApproval(clock, { stores, caller }, { conversationId, ...decision })
      if (decided.type === 'decided') return titled(decided.approval)
      if (decided.type === 'notAllowed') throw new DomainError('Forbidden', refusalOf(decided.approvedBy))
      const reason = await whyNothingWaits(stores, organizationId, conversationId, decision.callId)
      throw new DomainError('Conflict', reason)
    },
  }
}

/** A call is shown by the title that its tool had when it was called. */
function titled(record: ApprovalRecord): Approval {
  return { ...record, title: record.call.title }
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
