import { ApiError, type Parley, type Price } from '@parley/sdk'
import { moneyWords } from '../../data/cost-words'
import { changedList, isSamePrice, priceFields, priceId } from './price-draft'

interface PriceChange {
  /** The price as whoever changes it has seen it; null: there was none. */
  readonly before: Price | null
  /** Null: it is taken out. */
  readonly after: Price | null
}

/** The very price that is changed has been changed by somebody else since it was seen. */
export class PriceConflict extends Error {
  /** Null: it is gone. */
  readonly theirs: Price | null

  constructor(model: string, theirs: Price | null) {
    super(
      `${conflictWords(model, theirs)} Nothing of yours is saved yet: once more, and yours takes its place.`,
    )
    this.theirs = theirs
  }
}

/** Lists that change between reading and writing so often are in other hands. */
const maxAttempts = 4

/**
 * Puts one price in, changes it or takes it out. The API takes the whole list, under the version that was read: so what
 * others have changed meanwhile stays, and where it is the same price, they are not overwritten unseen.
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

function conflictWords(model: string, theirs: Price | null): string {
  if (theirs === null) return `Somebody else has deleted the price of ${model} meanwhile.`
  const figures = priceFields.flatMap(({ name, label }) => {
    const price = theirs.perMillion[name]
    return price === null ? [] : [`${label} ${moneyWords(price)}`]
  })
  const hour = theirs.perHour === null ? [] : [`an hour ${moneyWords(theirs.perHour)}`]
  return `Somebody else has changed the price of ${model} meanwhile: ${[...figures, ...hour].join(', ')}.`
}
