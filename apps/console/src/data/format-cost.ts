import type { Cost } from '@parley/sdk'
import { formatDuration } from './format-duration'

interface FormattedCost {
  /** The amount, as short as it can be without being wrong. */
  readonly amount: string
  /** Explains which costs the amount leaves out, or null if it is complete. */
  readonly missing: string | null
}

/** An incomplete amount is marked as such. An unknown one is never shown as zero. */
export function formatCost(cost: Cost): FormattedCost {
  const missing = missingOf(cost)
  if (cost.amount === null || (cost.amount === 0 && missing !== null))
    return { amount: 'unknown cost', missing }
  return {
    amount: missing === null ? formatMoney(cost.amount) : `at least ${formatMoney(cost.amount)}`,
    missing,
  }
}

function missingOf({ unpricedTokens, unpricedSeconds, unknownResponses }: Cost): string | null {
  const parts = [
    unpricedTokens > 0 && `${counted(unpricedTokens, 'token has', 'tokens have')} no price`,
    unpricedSeconds > 0 && `${formatDuration(unpricedSeconds)} of audio have no price`,
    unknownResponses > 0 &&
      `usage of ${counted(unknownResponses, 'answer', 'answers')} was not reported by the provider`,
  ].filter((part) => part !== false)
  if (parts.length === 0) return null
  const text = parts.join(', ')
  return `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}.`
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

/** Formats dollars. Fractions of a cent keep their significant digits. */
export function formatMoney(amount: number): string {
  return (amount === 0 || amount >= 0.095 ? cents : fractions).format(amount)
}
