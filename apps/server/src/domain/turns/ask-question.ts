import type { Stores } from '../../ports/database.js'
import type { TurnRecord } from '../../ports/turn-store.js'
import type { Caller } from '../caller-scope.js'
import { DomainError } from '../domain-error.js'
import type { Questions } from './running-turns.js'
import { type Question, storeQuestion } from './store-question.js'

export interface AskedQuestion extends Question {
  readonly caller: Caller
}

/** Stores the question as part of a transaction. */
export type StoreWithin = (stores: Stores) => Promise<TurnRecord>

export interface AskedTurn<Committed> {
  /** The turn that will answer; null where the transaction did without storing the question. */
  readonly turn: TurnRecord | null
  readonly committed: Committed
}

/**
 * The whole act of asking: the question is stored within a transaction that `commit` runs and may add to, or not store
 * the question in at all; once it is stored, it is answered.
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
    // Nobody knows whether a commit that was never answered took place; if it did, the question is answered.
    if (stored.turn !== null && !(error instanceof DomainError)) running.take(stored.turn)
    throw error
  }
}
