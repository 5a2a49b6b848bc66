import type { Page } from '@parley/contract'
import type { PageRequest, RecordPage } from '../../ports/resource-store.js'

export interface PageQuery {
  readonly Offset: number
  readonly Limit: number
}

/** The page that a caller asks for, with the figures they asked for it by. */
export async function readPage<Row>(
  { Offset: offset, Limit: limit }: PageQuery,
  list: (page: PageRequest) => Promise<RecordPage<Row>>,
): Promise<Page<Row>> {
  const { items, totalCount } = await list({ offset, limit })
  return { items, totalCount, offset, limit }
}
