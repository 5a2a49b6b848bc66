import { ApiPromise, type ApiResult } from './api-promise.js'
import type { Page } from './page.js'

/**
 * A promise of one page that also iterates over all following items:
 * `for await (const agent of parley.agents.list()) …`.
 */
export class ListPromise<Item> extends ApiPromise<Page<Item>> implements AsyncIterable<Item> {
  readonly #readAt: (offset: number) => Promise<Page<Item>>

  constructor(first: Promise<ApiResult<Page<Item>>>, readAt: (offset: number) => Promise<Page<Item>>) {
    super(first)
    this.#readAt = readAt
  }

  /** Iterates over this page and the following ones. */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    let page: Page<Item> = await this
    for (;;) {
      yield page
      const next = page.offset + page.items.length
      if (page.items.length === 0 || next >= page.totalCount) return
      page = await this.#readAt(next)
    }
  }

  /** Iterates over every item. New items shift others to the next page, so duplicates are skipped. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    let before = new Set<unknown>()
    for await (const { items } of this.pages()) {
      const fresh = items.filter((item) => !before.has(idOf(item)))
      before = new Set(items.map(idOf))
      yield* fresh
    }
  }
}

function idOf(item: unknown): unknown {
  return typeof item === 'object' && item !== null && 'id' in item ? item.id : item
}
