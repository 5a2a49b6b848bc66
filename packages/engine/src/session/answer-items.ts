import type { Conversation } from './conversation.js'
import type { Item } from './item.js'
import type { ItemSink } from './response-writer.js'

/** Inserts the items of a response after the items it has read, and before anything said during the response. */
export class AnswerItems implements ItemSink {
  readonly #conversation: Conversation
  #previousItemId: string | null = null

  constructor(conversation: Conversation) {
    this.#conversation = conversation
  }

  /** Marks all current items as read. */
  markRead(): void {
    this.#previousItemId = this.#conversation.lastItemId ?? 'root'
  }

  add(item: Item): string | null {
    const inserted = this.#conversation.insert(item, this.#previousItemId)
    // The preceding item may have been deleted in the meantime.
    const added = inserted.ok ? inserted : this.#conversation.insert(item)
    this.#previousItemId = item.id
    return added.ok ? added.previousItemId : null
  }

  replace(item: Item, sentences?: readonly string[]): void {
    this.#conversation.replace(item, sentences)
  }
}
