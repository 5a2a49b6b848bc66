import type { Conversation } from './conversation.js'
import type { Item } from './item.js'
import type { ItemSink } from './response-writer.js'

/** Puts the items of a response behind what it has read, before whatever was said while it was made. */
export class AnswerItems implements ItemSink {
  readonly #conversation: Conversation
  #previousItemId: string | null = null

  constructor(conversation: Conversation) {
    this.#conversation = conversation
  }

  /** Everything that is there now has been read. */
  markRead(): void {
    this.#previousItemId = this.#conversation.lastItemId ?? 'root'
  }

  add(item: Item): string | null {
    const inserted = this.#conversation.insert(item, this.#previousItemId)
    // What it should stand behind may have been deleted meanwhile.
    const added = inserted.ok ? inserted : this.#conversation.insert(item)
    this.#previousItemId = item.id
    return added.ok ? added.previousItemId : null
  }

  replace(item: Item, sentences?: readonly string[]): void {
    this.#conversation.replace(item, sentences)
  }
}
