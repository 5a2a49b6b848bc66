import type { QuestionInput } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import { noUsage } from '../../ports/chat-model.js'
import type { Cipher } from '../../ports/cipher.js'
import type { Clock } from '../../ports/clock.js'
import type { Stores } from '../../ports/database.js'
import type { TurnRecord } from '../../ports/turn-store.js'
import { recordChange } from '../audit/record-change.js'
import type { Caller } from '../caller.js'
import { chatTargetOf } from '../connections/chat-target.js'
import { conversationFor } from '../conversations/conversation-for.js'
import { DomainError, invalidRequest, notFound } from '../domain-error.js'
import { newResource } from '../resources/new-resource.js'
import { startedEvent } from './turn-events.js'

export interface AcceptQuestionDependencies {
  readonly clock: Clock
  readonly cipher: Cipher
  readonly instanceId: string
}

/** Takes a question: from here on it is stored, and will be answered or say why not. */
export async function acceptQuestion(
  stores: Stores,
  { clock, cipher, instanceId }: AcceptQuestionDependencies,
  caller: Caller,
  agentId: string,
  input: QuestionInput,
  idempotencyKey: string | null,
): Promise<TurnRecord> {
  const agent = await stores.agents.find(caller.organizationId, agentId)
  if (agent === null) throw notFound('Agent')
  const target = await chatTargetOf(stores, cipher, agent)
  if ('problem' in target) throw new DomainError('Conflict', target.problem)
  const fileIds = [...new Set(input.fileIds)]
  await requireFiles(stores, clock, caller, input.fileIds)
  const conversationId = await conversationFor(stores, clock, agent, input.conversationId)
  const blank = {
    ...newResource(clock, caller.organizationId),
    conversationId,
    agentId,
    state: 'queued',
    question: input.question,
    fileIds,
    additionalInstructions: input.additionalInstructions,
    questionMessageId: uuid(),
    answerMessageId: uuid(),
    instanceId,
    idempotencyKey,
    stopRequestedAt: null,
    startedAt: null,
    endedAt: null,
    answer: null,
    failure: null,
    usage: noUsage,
  } as const
  const turn = { ...blank, position: await stores.turns.insert(blank) }
  await stores.turns.addEvents(turn.id, [startedEvent(turn)])
  if (fileIds.length > 0) await stores.files.give(conversationId, fileIds, turn.createdAt)
  await recordChange(stores, clock, caller, {
    action: 'question.ask',
    type: 'Turn',
    id: turn.id,
    details: { agentId, conversationId },
  })
  return turn
}

async function requireFiles(
  stores: Stores,
  clock: Clock,
  caller: Caller,
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
