import { RecentIds } from '../../recent-ids.js'
import type { ProviderEvent } from '../protocol/provider-event.js'

/** The ids of the conversation items that the session's providers have mentioned. */
export class KnownItems {
  #current = new RecentIds()
  #former: RecentIds | null = null

  get hasFormer(): boolean {
    return this.#former !== null
  }

  /** Returns whether a former provider has mentioned the item, and the current one has not. */
  isFormer(itemId: string): boolean {
    return this.#former?.has(itemId) === true && !this.#current.has(itemId)
  }

  observe(event: ProviderEvent): void {
    const itemId = itemIdOf(event)
    if (itemId === null) return
    this.#current.add(itemId)
  }

  /** Called when the provider is lost. */
  leave(): void {
    const former = this.#former ?? new RecentIds()
    for (const itemId of this.#current.all) former.add(itemId)
    this.#former = former
    this.#current = new RecentIds()
  }
}

function itemIdOf(event: ProviderEvent): string | null {
  if (event.type === 'speech.committed') return event.itemId
  if (event.type === 'output-item.added' || event.type === 'output-item.done') return event.item.itemId
  return event.type === 'item.echoed' && event.item.kind === 'user-message' ? event.item.itemId : null
}
