import { type Cost, noCost, type QuestionAnswer } from '@parley/contract'
import type { Stores } from '../../ports/database.js'
import { costOf } from '../usage/cost-of.js'

export interface TurnUse {
  readonly usage: QuestionAnswer['usage']
  readonly cost: Cost
}

export const unused: TurnUse = {
  usage: { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 },
  cost: noCost,
}

/** What a turn has used so far, as it is counted: what is said of it and what it is charged with cannot differ. */
export async function turnUse(stores: Stores, turnId: string): Promise<TurnUse> {
  const sums = await stores.usageLedger.sumOf(turnId)
  return {
    usage: {
      inputTokens: sums.textInput + sums.audioInput + sums.imageInput,
      outputTokens: sums.textOutput + sums.audioOutput,
      cachedInputTokens: sums.cachedTextInput,
    },
    cost: costOf(sums),
  }
}
