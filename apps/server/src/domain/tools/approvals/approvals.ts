import type { Approval, ApprovalDecision, ApprovalListQuery, ApprovedBy, Page } from '@parley/contract'
import type { Stores } from '../../../ports/database.js'
import type { ApprovalRecord, Decider } from '../../../ports/task-stores.js'
import type { Clock } from '../../../ports/time.js'
import { recordChange } from '../../audit/record-change.js'
import type { Caller, CallerScope } from '../../caller-scope.js'
import { DomainError, notFound } from '../../domain-error.js'

export type Approvals = ReturnType<typeof makeApprovals>

export function makeApprovals({ clock }: { readonly clock: Clock }) {
  return {
    async list({ stores, caller }: CallerScope, query: ApprovalListQuery): Promise<Page<Approval>> {
      // Expired approvals must not be listed as waiting.
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

    /** Decides on a waiting call, regardless of its channel and instance. */
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
      const reason = await notWaitingReason(stores, organizationId, conversationId, decision.callId)
      throw new DomainError('Conflict', reason)
    },
  }
}

/** Returns the approval with the title that its tool had at the time of the call. */
function titled(record: ApprovalRecord): Approval {
  return { ...record, title: record.call.title }
}

async function notWaitingReason(
  { approvals }: Stores,
  organizationId: string,
  conversationId: string,
  callId: string,
): Promise<string> {
  const newest = { offset: 0, limit: 1 }
  const { items } = await approvals.list(organizationId, { conversationId, callId }, newest)
  const state = items[0]?.state
  if (state === undefined) return 'No call with this id has asked for approval in this conversation.'
  if (state === 'approved' || state === 'rejected') return `The call was already ${state}.`
  // The deadline has passed, although the row still says that the call waits.
  return 'The approval has expired. The call is no longer waiting.'
}

export interface ApprovalChoice {
  readonly conversationId: string
  readonly callId: string
  readonly decision: 'approve' | 'reject'
  readonly reason: string | null
}

/** The decided approval, or the reason why the decision was rejected. */
type DecisionOutcome =
  | { readonly type: 'decided'; readonly approval: ApprovalRecord }
  | { readonly type: 'notWaiting' }
  | { readonly type: 'notAllowed'; readonly approvedBy: ApprovedBy }

const decidedStates = { approve: 'approved', reject: 'rejected' } as const

/**
 * Checks whether the caller may decide on a waiting call, stores the decision and writes the audit record.
 * Used for decisions over both HTTP and sockets.
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

/** A session's client is identified by the session. */
function deciderOf({ actor: { type, id, name } }: Caller): NonNullable<Approval['decidedBy']> {
  if (id !== null && type === 'session') return { type: 'client', id, name }
  if (id !== null && (type === 'api_key' || type === 'person')) return { type, id, name }
  throw new Error('Only API keys, members and clients of sessions can decide on calls.')
}

/**
 * Returns who may decide under the rules of both the tool and the session. Returns null if these contradict
 * each other.
 */
export function narrowed(one: ApprovedBy, other: ApprovedBy): ApprovedBy | null {
  if (one === 'either') return other
  return other === 'either' || other === one ? one : null
}

/** The output of a call that no caller may decide on. */
export const undecidable =
  'The tool and the session contradict each other: one requires approval by the client, the other by staff. Therefore, the call cannot be approved. It was not run.'

/** Returns the error for a caller that may not decide. */
export function refusalOf(allowed: ApprovedBy): string {
  return allowed === 'client'
    ? 'Only the client can decide on this call: the user of its session, or the caller who asked the question.'
    : 'Only staff can decide on this call: members and API keys with the scope approval:decide.'
}
