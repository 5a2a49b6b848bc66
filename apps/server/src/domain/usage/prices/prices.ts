import type { PriceList, PriceListInput } from '@parley/contract'
import type { Clock } from '../../../ports/clock.js'
import type { OwnPrices } from '../../../ports/price-store.js'
import { recordChange } from '../../audit/record-change.js'
import type { CallerScope } from '../../caller-scope.js'
import { type IfMatch, requireMatch } from '../../resources/if-match.js'
import { defaultPricesDate, defaultPricesSource } from './default-price-lines.js'
import { defaultPrices } from './default-prices.js'

export type Prices = ReturnType<typeof makePrices>

/** The list as it is answered, with what its ETag is made of. */
type VersionedPrices = PriceList & { readonly version: number }

export function makePrices({ clock }: { readonly clock: Clock }) {
  async function read({ stores, caller }: CallerScope): Promise<VersionedPrices> {
    const own = await stores.prices.list(caller.organizationId)
    const { items, savedAt } = own
    return {
      version: versionOf(own),
      currency: 'USD',
      items: [...items],
      updatedAt: savedAt,
      defaults: { date: defaultPricesDate, source: defaultPricesSource, items: [...defaultPrices] },
    }
  }

  return {
    read,

    async replace(scope: CallerScope, ifMatch: IfMatch, { items }: PriceListInput): Promise<VersionedPrices> {
      const { stores, caller } = scope
      // The list has no row of its own: whoever comes second has to see what the first has stored.
      await stores.prices.lock(caller.organizationId)
      const own = await stores.prices.list(caller.organizationId)
      requireMatch(ifMatch, versionOf(own))
      const before = own.items
      await stores.prices.replace(caller.organizationId, items, laterThan(own, clock.now()))
      await recordChange(clock, scope, {
        action: 'price.update',
        type: 'Price',
        id: caller.organizationId,
        details: {
          before: before.length,
          after: items.length,
          models: items.slice(0, 20).map(({ model }) => model),
        },
      })
      return read(scope)
    },
  }
}

/** The moment that it was stored at; 0 where there is none, as every empty list is like every other. */
function versionOf({ savedAt }: OwnPrices): number {
  return savedAt === null ? 0 : Date.parse(savedAt)
}

/** Now, or just after the list of before: another list is another version, whatever the clocks of instances say. */
function laterThan(before: OwnPrices, now: Date): string {
  return new Date(Math.max(now.getTime(), versionOf(before) + 1)).toISOString()
}
