import type { Limits } from '../domain/limits/organization-limits.js'
import { makeBudgets } from '../domain/usage/budgets/budgets.js'
import { makePrices } from '../domain/usage/prices/prices.js'
import { makeUsages } from '../domain/usage/usages.js'
import type { Clock } from '../ports/time.js'

export interface ComposeUsageOptions {
  readonly clock: Clock
  readonly limits: Limits
  /** How long individual records are kept. */
  readonly recordDays: number
}

/** Composes model usage with its prices and budgets. */
export function composeUsage({ clock, limits, recordDays }: ComposeUsageOptions) {
  return {
    usages: makeUsages({ clock, recordDays }),
    prices: makePrices({ clock }),
    budgets: makeBudgets({ clock, limits }),
  }
}
