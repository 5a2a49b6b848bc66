import type { Price } from '@parley/contract'

export interface PricedModel {
  readonly model: string
  readonly at: string
  readonly inputTokens: number
}

/**
 * The one of these prices that counts: the one whose model says most of the name, of these the latest, and of these the one
 * for as many input tokens. Null where none holds.
 */
export function choosePrice(prices: readonly Price[], { model, at, inputTokens }: PricedModel): Price | null {
  let chosen: Price | null = null
  for (const price of prices) {
    if (!matches(price.model, model) || price.validFrom > at) continue
    if (price.aboveInputTokens > 0 && inputTokens <= price.aboveInputTokens) continue
    if (chosen === null || isBetter(price, chosen)) chosen = price
  }
  return chosen
}

const isBeginning = (pattern: string) => pattern.endsWith('*')

function matches(pattern: string, model: string): boolean {
  return isBeginning(pattern) ? model.startsWith(pattern.slice(0, -1)) : model === pattern
}

function isBetter(price: Price, other: Price): boolean {
  if (price.model !== other.model) {
    if (isBeginning(price.model) !== isBeginning(other.model)) return isBeginning(other.model)
    return price.model.length > other.model.length
  }
  if (price.validFrom !== other.validFrom) return price.validFrom > other.validFrom
  return price.aboveInputTokens > other.aboveInputTokens
}
