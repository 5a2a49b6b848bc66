import type { Cost } from '@parley/sdk'
import { durationWords } from './duration-words'

interface CostWords {
  /** What it came to, as short as it stays true. */
  readonly amount: string
  /** What is not in the amount, and why; null where it is the whole cost. */
  readonly missing: string | null
}

/** An amount that is not whole is never told as if it were, and one that is not known never as nothing. */
export function costWords(cost: Cost): CostWords {
  const missing = missingOf(cost)
  if (cost.amount === null || (cost.amount === 0 && missing !== null))
    return { amount: 'unknown price', missing }
  return {
    amount: missing === null ? moneyWords(cost.amount) : `at least ${moneyWords(cost.amount)}`,
    missing,
  }
}

function missingOf({ unpricedTokens, unpricedSeconds, unknownResponses }: Cost): string | null {
  const parts = [
    unpricedTokens > 0 && `${counted(unpricedTokens, 'token has', 'tokens have')} no price`,
    unpricedSeconds > 0 && `${durationWords(unpricedSeconds)} of sound have no price`,
    unknownResponses > 0 &&
      `of ${counted(unknownResponses, 'answer', 'answers')} the provider did not say what it took`,
  ].filter((part) => part !== false)
  if (parts.length === 0) return null
  const words = parts.join(', ')
  return `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}.`
}

function counted(count: number, one: string, many: string): string {
  return `${count.toLocaleString()} ${count === 1 ? one : many}`
}

const cents = new Intl.NumberFormat(undefined, { style: 'currency', currency: 'USD' })
const fractions = new Intl.NumberFormat(undefined, {
  style: 'currency',
  currency: 'USD',
  maximumSignificantDigits: 2,
})

/** Money as people write it; of a fraction of a cent, the digits that count. */
export function moneyWords(amount: number): string {
  return (amount === 0 || amount >= 0.095 ? cents : fractions).format(amount)
}
