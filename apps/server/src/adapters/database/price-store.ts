import { and, asc, desc, eq, getTableColumns, lte, sql } from 'drizzle-orm'
import type { PriceStore } from '../../ports/usage-stores.js'
import type { Handle } from './handle.js'
import { ownPrice } from './ledger-schema.js'
import { lockOrganization } from './locks.js'
import { builder, placeholder, selectStatement } from './statement.js'

/** Executed at every use of a model. */
const findMatching = selectStatement('price_matching', getTableColumns(ownPrice), (fields) =>
  builder
    .select(fields)
    .from(ownPrice)
    .where(
      and(
        eq(ownPrice.organizationId, placeholder('organizationId')),
        eq(ownPrice.kind, placeholder('kind')),
        lte(ownPrice.validFrom, placeholder('at')),
        sql`(${ownPrice.model} = ${placeholder('model')} or right(${ownPrice.model}, 1) = '*'
          and starts_with(${placeholder('model')}, left(${ownPrice.model}, -1)))`,
      ),
    ),
)

export function makePriceStore(handle: Handle): PriceStore {
  return {
    async list(organizationId) {
      const rows = await handle
        .select()
        .from(ownPrice)
        .where(eq(ownPrice.organizationId, organizationId))
        .orderBy(
          asc(ownPrice.kind),
          asc(ownPrice.model),
          desc(ownPrice.validFrom),
          asc(ownPrice.aboveInputTokens),
        )
      return { items: rows, savedAt: rows[0]?.savedAt ?? null }
    },

    lock: (organizationId) => lockOrganization(handle, organizationId),

    async replace(organizationId, items, at) {
      await handle.delete(ownPrice).where(eq(ownPrice.organizationId, organizationId))
      if (items.length > 0)
        await handle.insert(ownPrice).values(items.map((item) => ({ ...item, organizationId, savedAt: at })))
    },

    matching: (organizationId, wanted) => findMatching(handle, { organizationId, ...wanted }),
  }
}
