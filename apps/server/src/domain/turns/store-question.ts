import type { QuestionInput } from '@parley/contract'
import type { Cipher } from '../../ports/cipher.js'
import type { Clock } from '../../ports/clock.js'
import type { TurnRecord } from '../../ports/turn-store.js'
import { recordChange } from '../audit/record-change.js'
import type { CallerScope } from '../caller-scope.js'
import { chatTargetOf } from '../connections/chat-target.js'
import { conversationFor } from '../conversations/conversation-for.js'
import { DomainError, invalidRequest, notFound } from '../domain-error.js'
import { type Limits, oneMore } from '../limits/organization-limits.js'
import { newId } from '../new-id.js'
import { keyOf } from '../usage/begun-with.js'
import { requireReservation } from '../usage/budgets/reserve-budget.js'
import { storeTurn } from './store-turn.js'

export interface StoreQuestionDependencies {
  readonly clock: Clock
  readonly limits: Limits
  readonly cipher: Cipher
  readonly instanceId: string
}

export interface Question {
  readonly agentId: string
  readonly input: QuestionInput
  /** The key it came with: it may be used again where the question gets no answer. */
  readonly idempotencyKey: string | null
}

/** Stores a question as a queued turn: once this is committed, it will be answered or say why not. */
export async function storeQuestion(
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
  const wanted = { agent, conversationId: input.conversationId, rehearsal }
  const conversationId = await conversationFor({ clock, limits }, scope, wanted)
  const id = newId()
  const apiKeyId = keyOf(caller)
  // Behind the lock of the conversation, as everywhere: two that lock both must not wait for each other.
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
    idempotencyKey,
    apiKeyId,
    taskId: null,
    rehearsal: input.rehearsal,
  })
  if (fileIds.length > 0) await stores.files.give(conversationId, fileIds, turn.createdAt)
  const details = { agentId, conversationId, ...(rehearsal && { rehearsal }) }
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
    known.has(id) ? [] : [{ path: `fileIds[${index}]`, message: 'names no file, or one that has expired' }],
  )
  if (errors.length > 0) throw invalidRequest(errors)
}
