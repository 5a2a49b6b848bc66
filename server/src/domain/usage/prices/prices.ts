import type { PriceList, PriceListInput } from '@parley/contract'
import type { Clock } from '../../../ports/clock.js'
import { recordChange } from '../../audit/record-change.js'
import type { CallerScope } from '../../caller-scope.js'
import { defaultPricesDate, defaultPricesSource } from './default-price-lines.js'
import { defaultPrices } from './default-prices.js'

export type Prices = ReturnType<typeof makePrices>

export function makePrices({ clock }: { readonly clock: Clock }) {
  async function read({ stores, caller }: CallerScope): Promise<PriceList> {
    const { items, savedAt } = await stores.prices.list(caller.organizationId)
    return {
      currency: 'USD',
      items: [...items],
      updatedAt: savedAt,
      defaults: { date: defaultPricesDate, source: defaultPricesSource, items: [...defaultPrices] },
    }
  }

  return {
    read,

    async replace(scope: CallerScope, { items }: PriceListInput): Promise<PriceList> {
      const { stores, caller } = scope
      const { items: before } = await stores.prices.list(caller.organizationId)
      await stores.prices.replace(caller.organizationId, items, clock.now().toISOString())
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
