import type { ConnectionKind, Price } from '@parley/contract'

export interface OwnPrices {
  readonly items: readonly Price[]
  /** Null where there are none. */
  readonly savedAt: string | null
}

/** The organizations' own prices. */
export interface PriceStore {
  list(organizationId: string): Promise<OwnPrices>
  /** Makes those who replace the list take turns, until the transaction ends. */
  lock(organizationId: string): Promise<void>
  /** Puts these in the place of those that there were. */
  replace(organizationId: string, items: readonly Price[], at: string): Promise<void>
  /** Those that match a model at a moment, by name or by how it begins. */
  matching(
    organizationId: string,
    wanted: { readonly kind: ConnectionKind; readonly model: string; readonly at: string },
  ): Promise<readonly Price[]>
}
