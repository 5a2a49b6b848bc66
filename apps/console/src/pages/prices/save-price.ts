import { ApiError, type Parley, type Price } from '@parley/sdk'
import { formatMoney } from '../../data/format-cost'
import { changedList, isSamePrice, priceFields, priceId } from './price-draft'

interface PriceChange {
  /** The price as the user saw it. Null if there was none. */
  readonly before: Price | null
  /** Null removes the price. */
  readonly after: Price | null
}

/** Thrown if another user has changed the same price. */
export class PriceConflict extends Error {
  /** Null if it was deleted. */
  readonly theirs: Price | null

  constructor(model: string, theirs: Price | null) {
    super(`${conflictMessage(model, theirs)} Your change is not saved. Save again to overwrite theirs.`)
    this.theirs = theirs
  }
}

/** The number of retries before the save gives up. */
const maxAttempts = 4

/**
 * Adds, changes or removes one price. The API replaces the whole list and checks its version. Changes by other users
 * to other prices are kept. A change to the same price is a conflict.
 */
export async function savePrice(parley: Parley, change: PriceChange): Promise<void> {
  const { before, after } = change
  const meant = before ?? after
  for (let attempt = 1; meant !== null; attempt += 1) {
    const { data, etag } = await parley.prices.get().withResponse()
    const theirs = data.items.find((item) => priceId(item) === priceId(meant)) ?? null
    if (!isSamePrice(theirs, before)) throw new PriceConflict(meant.model, theirs)
    try {
      await parley.prices.replace(changedList(data, change), etag === null ? {} : { ifMatch: etag })
      return
    } catch (error) {
      const isStale = error instanceof ApiError && error.errorCode === 'PreconditionFailed'
      if (!isStale || attempt === maxAttempts) throw error
    }
  }
}

function conflictMessage(model: string, theirs: Price | null): string {
  if (theirs === null) return `Another user deleted the price of ${model}.`
  const figures = priceFields.flatMap(({ name, label }) => {
    const price = theirs.perMillion[name]
    return price === null ? [] : [`${label} ${formatMoney(price)}`]
  })
  const hour = theirs.perHour === null ? [] : [`per hour ${formatMoney(theirs.perHour)}`]
  return `Another user changed the price of ${model}: ${[...figures, ...hour].join(', ')}.`
}
