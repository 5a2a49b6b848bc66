import { operations, type Problem, type QuestionInput } from '@parley/contract'
import type { Stores } from '../../ports/database.js'
import type { KeptAnswer } from '../../ports/idempotency-store.js'
import type { TurnRecord } from '../../ports/turn-store.js'
import type { Caller } from '../caller.js'
import { DomainError } from '../domain-error.js'
import { answerOnce } from '../idempotency/answer-once.js'
import { acceptQuestion } from './accept-question.js'
import type { Questions } from './running-turns.js'
import { findTurn } from './turns.js'

export interface AskedQuestion {
  readonly caller: Caller
  readonly agentId: string
  readonly input: QuestionInput
  readonly idempotencyKey: string | null
}

/** The turn that will answer, or the refusal that the same question met the first time. */
export type TakenQuestion = { readonly turn: TurnRecord } | { readonly refusal: KeptAnswer }

/** Stores a question and sees to its answer, once for each Idempotency-Key: who asks again gets the same turn. */
export function takeQuestion(
  questions: Questions,
  asked: AskedQuestion,
  problemOf: (refusal: DomainError) => Problem,
): Promise<TakenQuestion> {
  const taking = take(questions, asked, problemOf)
  questions.running.expect(taking)
  return taking
}

async function take(
  questions: Questions,
  { caller, agentId, input, idempotencyKey }: AskedQuestion,
  problemOf: (refusal: DomainError) => Problem,
): Promise<TakenQuestion> {
  const { database, clock, running } = questions
  const accepted: TurnRecord[] = []
  const accept = async (stores: Stores) => {
    const turn = await acceptQuestion(stores, questions, caller, agentId, input, idempotencyKey)
    accepted.push(turn)
    return turn
  }
  try {
    if (idempotencyKey === null) {
      const turn = await database.transaction(accept)
      running.take(turn)
      return { turn }
    }
    const { operationId } = operations.askAgent
    const once = { organizationId: caller.organizationId, key: idempotencyKey, operationId }
    const kept = await answerOnce(
      database,
      clock,
      { ...once, body: { agentId, ...input } },
      async (stores) => {
        const { id: turnId, conversationId } = await accept(stores)
        return { status: 202, body: { turnId, conversationId }, etag: null }
      },
      (refusal) => ({ status: refusal.status, body: problemOf(refusal), etag: null }),
    )
    if (kept.status >= 400) return { refusal: kept }
    const { turnId, conversationId } = kept.body as { turnId: string; conversationId: string }
    // What this request has put in, and did not find, is answered here.
    const fresh = accepted.find(({ id }) => id === turnId)
    if (fresh) running.take(fresh)
    return { turn: fresh ?? (await findTurn(database.stores, caller, conversationId, turnId)) }
  } catch (error) {
    // Nobody knows whether a commit that was never answered took place; if it did, the question is answered.
    if (!(error instanceof DomainError)) for (const turn of accepted) running.take(turn)
    throw error
  }
}
