import type { Stores } from '../../ports/database.js'
import type { TurnRecord } from '../../ports/turn-store.js'
import type { Caller } from '../caller-scope.js'
import { DomainError } from '../domain-error.js'
import { acceptQuestion, type Question } from './accept-question.js'
import type { Questions } from './running-turns.js'

export interface AskedQuestion extends Question {
  readonly caller: Caller
}

/** Stores the question as part of a transaction. */
export type StoreQuestion = (stores: Stores) => Promise<TurnRecord>

export interface TakenQuestion<Committed> {
  /** The turn that will answer; null where the transaction did without storing the question. */
  readonly turn: TurnRecord | null
  readonly committed: Committed
}

/**
 * Takes a question, within a transaction that `commit` runs and may add to, or not store the question in at all; once
 * it is stored, it is answered.
 */
export function takeQuestion<Committed>(
  questions: Questions,
  asked: AskedQuestion,
  commit: (store: StoreQuestion) => Promise<Committed>,
): Promise<TakenQuestion<Committed>> {
  const taking = take(questions, asked, commit)
  questions.running.expect(taking)
  return taking
}

async function take<Committed>(
  questions: Questions,
  { caller, ...question }: AskedQuestion,
  commit: (store: StoreQuestion) => Promise<Committed>,
): Promise<TakenQuestion<Committed>> {
  const { running } = questions
  const stored: { turn: TurnRecord | null } = { turn: null }
  try {
    const committed = await commit(async (stores) => {
      const turn = await acceptQuestion(questions, { stores, caller }, question)
      stored.turn = turn
      return turn
    })
    if (stored.turn !== null) running.take(stored.turn)
    return { turn: stored.turn, committed }
  } catch (error) {
    // Nobody knows whether a commit that was never answered took place; if it did, the question is answered.
    if (stored.turn !== null && !(error instanceof DomainError)) running.take(stored.turn)
    throw error
  }
}
