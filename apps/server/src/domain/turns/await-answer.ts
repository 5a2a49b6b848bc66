import type { QuestionAnswer, TurnEvent } from '@parley/contract'
import type { TurnRecord } from '../../ports/turn-store.js'
import { DomainError } from '../domain-error.js'
import { type FollowDependencies, followTurn } from './follow-turn.js'
import { answerSoFar } from './turns.js'

/**
 * Waits until the turn has ended or waits for a person; a caller who does not want to wait any more gets how far it
 * is. An answer that will never come is a refusal.
 */
export async function awaitAnswer(
  dependencies: FollowDependencies,
  turn: TurnRecord,
  signal: AbortSignal,
): Promise<QuestionAnswer> {
  for await (const { event } of followTurn(dependencies, turn, 0, signal)) {
    if (!isApprovalWaiting(event)) continue
    // It may have been decided long ago: the same question can be asked again under its key.
    const answer = await currentAnswer(dependencies, turn)
    if (answer.status === 'waiting_for_approval') return answer
  }
  const answer = await currentAnswer(dependencies, turn)
  if (answer.status === 'failed')
    throw new DomainError(
      'Unavailable',
      `${answer.failure ?? 'The agent could not answer.'} The question is kept, as turn ${turn.id} of conversation ${turn.conversationId}.`,
    )
  return answer
}

async function currentAnswer(
  { database }: FollowDependencies,
  { organizationId, conversationId, id }: TurnRecord,
): Promise<QuestionAnswer> {
  const { stores } = database.ownedBy({ organizationId, kind: 'follow' })
  const turn = await stores.turns.find(organizationId, conversationId, id)
  if (turn === null) throw new DomainError('NotFound', 'The conversation was deleted.')
  return answerSoFar(stores, turn)
}

function isApprovalWaiting(event: string): boolean {
  return (JSON.parse(event) as TurnEvent).type === 'approval.waiting'
}
