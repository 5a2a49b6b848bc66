import type { QuestionInput } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import type { TurnRecord } from '../../ports/conversation-stores.js'
import type { Stores } from '../../ports/database.js'
import type { Cipher } from '../../ports/secrets.js'
import type { Clock } from '../../ports/time.js'
import { recordChange } from '../audit/record-change.js'
import { type Caller, type CallerScope, keyOf } from '../caller-scope.js'
import { chatTargetOf } from '../connections/chat-target.js'
import { contextOf, conversationFor } from '../conversations/conversations.js'
import { DomainError, invalidRequest, notFound } from '../domain-error.js'
import { requireQuestionRoom } from '../end-users/end-user-limits.js'
import { requireVariables } from '../end-users/template-values.js'
import { type Limits, oneMore } from '../limits/organization-limits.js'
import { newId } from '../new-id.js'
import { newResource } from '../resources/resource.js'
import { requireReservation } from '../usage/budgets/reserve-budget.js'
import type { FollowDependencies } from './follow-turn.js'
import type { RunningTurns } from './running-turns.js'
import { startedEvent, unused } from './turn-records.js'

/** The dependencies of the routes that ask, read and follow questions. */
export interface Questions extends StoreQuestionDependencies, FollowDependencies {
  readonly running: RunningTurns
}

export interface AskedQuestion extends Question {
  readonly caller: Caller
}

/** Stores the question as part of a transaction. */
type StoreWithin = (stores: Stores) => Promise<TurnRecord>

interface AskedTurn<Committed> {
  /** The turn that will answer. Null if the transaction did not store the question. */
  readonly turn: TurnRecord | null
  readonly committed: Committed
}

/**
 * Asks a question. `commit` runs the transaction that stores the question. It may add other writes, or not
 * store the question at all. A stored question is answered.
 */
export function askQuestion<Committed>(
  questions: Questions,
  asked: AskedQuestion,
  commit: (store: StoreWithin) => Promise<Committed>,
): Promise<AskedTurn<Committed>> {
  const asking = storeAndStart(questions, asked, commit)
  questions.running.expect(asking)
  return asking
}

async function storeAndStart<Committed>(
  questions: Questions,
  { caller, ...question }: AskedQuestion,
  commit: (store: StoreWithin) => Promise<Committed>,
): Promise<AskedTurn<Committed>> {
  const { running } = questions
  const stored: { turn: TurnRecord | null } = { turn: null }
  try {
    const committed = await commit(async (stores) => {
      const turn = await storeQuestion(questions, { stores, caller }, question)
      stored.turn = turn
      return turn
    })
    if (stored.turn !== null) running.take(stored.turn)
    return { turn: stored.turn, committed }
  } catch (error) {
    // A commit without a confirmation may have succeeded. In that case, the question is answered.
    if (stored.turn !== null && !(error instanceof DomainError)) running.take(stored.turn)
    throw error
  }
}

interface StoreQuestionDependencies {
  readonly clock: Clock
  readonly limits: Limits
  readonly cipher: Cipher
  readonly instanceId: string
}

interface Question {
  readonly agentId: string
  readonly input: QuestionInput
  /** The idempotency key of the request. If the question gets no answer, the key can be used again. */
  readonly idempotencyKey: string | null
}

/** Stores a question as a queued turn. After the commit, the question gets an answer or an error. */
async function storeQuestion(
  { clock, limits, cipher, instanceId }: StoreQuestionDependencies,
  scope: CallerScope,
  { agentId, input, idempotencyKey }: Question,
): Promise<TurnRecord> {
  const { stores, caller } = scope
  const agent = await stores.agents.find(caller.organizationId, agentId)
  if (agent === null) throw notFound('Agent')
  const found = await chatTargetOf(cipher, stores, agent)
  if (!found.ok) throw new DomainError('Conflict', found.problem)
  const fileIds = [...new Set(input.fileIds)]
  await requireFiles(clock, scope, input.fileIds)
  await limits.requireRoom(scope, [oneMore('queuedTurns')])
  const { organizationId } = caller
  const rehearsal = input.rehearsal !== null
  const context = contextOf(input)
  const wanted = { agent, conversationId: input.conversationId, rehearsal, context }
  const conversation = await conversationFor({ clock, limits }, scope, wanted)
  const { id: conversationId, endUserId } = conversation
  requireVariables(agent, conversation.variables)
  if (!rehearsal) await requireQuestionRoom({ clock }, stores, agent, endUserId)
  const id = newId()
  const apiKeyId = keyOf(caller)
  // Locked after the conversation, as everywhere, so that transactions cannot deadlock.
  const work = { organizationId, agentId, apiKeyId, sourceId: id }
  await requireReservation({ clock }, stores, work, 'new')
  const turn = await storeTurn({ clock, instanceId }, stores, {
    id,
    organizationId,
    conversationId,
    agentId,
    question: input.question,
    fileIds,
    additionalInstructions: input.additionalInstructions,
    responseSchema: input.responseSchema,
    idempotencyKey,
    apiKeyId,
    endUserId,
    taskId: null,
    rehearsal: input.rehearsal,
  })
  if (fileIds.length > 0) await stores.files.give(conversationId, fileIds, turn.createdAt)
  const details = {
    agentId,
    conversationId,
    ...(endUserId !== null && { endUserId }),
    ...(rehearsal && { rehearsal }),
  }
  await recordChange(clock, scope, { action: 'question.ask', type: 'Turn', id: turn.id, details })
  return turn
}

async function requireFiles(
  clock: Clock,
  { stores, caller }: CallerScope,
  fileIds: readonly string[],
): Promise<void> {
  if (fileIds.length === 0) return
  const found = await stores.files.findMany(caller.organizationId, fileIds, clock.now().toISOString())
  const known = new Set(found.map(({ id }) => id))
  const errors = fileIds.flatMap((id, index) =>
    known.has(id) ? [] : [{ path: `fileIds[${index}]`, message: 'must be a file that has not expired' }],
  )
  if (errors.length > 0) throw invalidRequest(errors)
}

/** The fields of a new turn that the caller of this function provides. */
type NewTurn = Pick<
  TurnRecord,
  | 'id'
  | 'organizationId'
  | 'conversationId'
  | 'agentId'
  | 'question'
  | 'fileIds'
  | 'additionalInstructions'
  | 'responseSchema'
  | 'idempotencyKey'
  | 'taskId'
  | 'apiKeyId'
  | 'endUserId'
  | 'rehearsal'
>

/** Stores a queued turn and its first event, after the other turns of its locked conversation. */
export async function storeTurn(
  { clock, instanceId }: { readonly clock: Clock; readonly instanceId: string },
  stores: Stores,
  { organizationId, ...turn }: NewTurn,
): Promise<TurnRecord> {
  const blank = {
    ...newResource(clock, organizationId),
    ...turn,
    state: 'queued',
    questionMessageId: uuid(),
    answerMessageId: uuid(),
    instanceId,
    stopRequestedAt: null,
    startedAt: null,
    endedAt: null,
    answer: null,
    failure: null,
    ...unused,
  } as const
  const stored = { ...blank, position: await stores.turns.insert(blank) }
  await stores.turns.addEvents(stored.id, [startedEvent(stored)])
  return stored
}
