import { type QuestionAnswer, ToolStatus, type TurnStatus } from '@parley/contract'
import type { MessageRecord, TurnRecord } from '../../ports/conversation-stores.js'
import type { Stores } from '../../ports/database.js'
import type { Clock } from '../../ports/time.js'
import { recordChange } from '../audit/record-change.js'
import type { CallerScope } from '../caller-scope.js'
import { DomainError, invalidRequest, notFound } from '../domain-error.js'
import { outputOf, turnUse } from './turn-records.js'

/** The ids by which callers identify a turn. */
export interface TurnId {
  readonly conversationId: string
  readonly turnId: string
}

export async function findTurn(
  { stores, caller }: CallerScope,
  { conversationId, turnId }: TurnId,
): Promise<TurnRecord> {
  // The turns of a deleted conversation do not exist for callers.
  const conversation = await stores.conversations.find(caller.organizationId, conversationId)
  const turn = conversation && (await stores.turns.find(caller.organizationId, conversationId, turnId))
  if (!turn) throw notFound('turn')
  return turn
}

/** Throws if the turn's events were removed, or if the caller's last event is not an event of this turn. */
export async function requireFollowable(
  stores: Stores,
  turn: TurnRecord,
  lastEventId: number,
): Promise<void> {
  const wanted = Math.max(1, lastEventId)
  const [event] = await stores.turns.eventsAfter(turn.id, wanted - 1, 1)
  if (event?.sequence === wanted) return
  const [first] = await stores.turns.eventsAfter(turn.id, 0, 1)
  if (first !== undefined)
    throw invalidRequest([{ path: 'Last-Event-ID', message: 'must be the id of an event of this turn' }])
  throw new DomainError(
    'NotFound',
    'The events of this turn are no longer available. The answer is in the conversation.',
  )
}

/** Returns whether the turn has ended and the caller already has its last event, so that no events follow. */
export async function isFollowedToItsEnd(
  stores: Stores,
  turn: TurnRecord,
  lastEventId: number,
): Promise<boolean> {
  if (turn.endedAt === null || lastEventId === 0) return false
  return (await stores.turns.eventsAfter(turn.id, lastEventId, 1)).length === 0
}

/** Requests the instance that runs the turn to stop it. A turn that has ended stays unchanged. */
export async function stopTurn(clock: Clock, scope: CallerScope, named: TurnId): Promise<undefined> {
  const turn = await findTurn(scope, named)
  if (!(await scope.stores.turns.requestStop(turn.id, clock.now().toISOString()))) return
  await recordChange(clock, scope, {
    action: 'turn.stop',
    type: 'Turn',
    id: turn.id,
    details: {
      conversationId: named.conversationId,
      ...(turn.endUserId !== null && { endUserId: turn.endUserId }),
    },
  })
}

/** Returns the current state of an answer for callers. */
export async function answerSoFar(stores: Stores, turn: TurnRecord): Promise<QuestionAnswer> {
  const calls = await stores.conversations.callsOf(turn.id)
  const approvals = await waitingApprovals(stores, turn, calls)
  const hasEnded = turn.endedAt !== null
  const { usage, cost } = hasEnded ? turn : await turnUse(stores, turn.id)
  return {
    conversationId: turn.conversationId,
    turnId: turn.id,
    messageId: hasEnded ? turn.answerMessageId : null,
    answer: turn.answer,
    output: outputOf(turn),
    status: statusOf(turn, approvals.length > 0),
    failure: turn.failure,
    toolInvocations: calls.map((call) => ({ ...call })),
    approvals,
    usage,
    cost,
  }
}

function statusOf({ state }: TurnRecord, isWaiting: boolean): TurnStatus {
  return state === 'running' && isWaiting ? 'waiting_for_approval' : state
}

async function waitingApprovals(
  stores: Stores,
  turn: TurnRecord,
  calls: readonly MessageRecord[],
): Promise<QuestionAnswer['approvals']> {
  const waiting = new Set(
    calls.filter(({ status }) => status === ToolStatus.PendingApproval).map(({ id }) => id),
  )
  if (waiting.size === 0) return []
  const filter = { conversationId: turn.conversationId, state: 'waiting' } as const
  const page = await stores.approvals.list(turn.organizationId, filter, { offset: 0, limit: 200 })
  return page.items
    .filter(({ messageId }) => waiting.has(messageId))
    .map(({ callId, messageId, tool, arguments: args, approvedBy, deadline }) => ({
      callId,
      messageId,
      tool,
      arguments: args,
      approvedBy,
      deadline,
    }))
    .reverse()
}
