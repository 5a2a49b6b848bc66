import { type Fields, fieldsOf, listOf, textOf } from './json-fields.js'
import { type Emit, errorEvent, makeId } from './server-event.js'

const maxIdCharacters = 32
/** The oldest items are forgotten beyond this many characters. */
const maxCharacters = 1_000_000

/** An item of the conversation in OpenAI's form. Its audio is not kept. */
export type Item = Fields & { readonly id: string }

/** The items of a conversation whose provider has none of its own. */
export class ConversationItems {
  readonly conversationId = makeId('conv')
  readonly #emit: Emit
  readonly #items = new Map<string, { readonly item: Item; readonly characters: number }>()
  #characters = 0
  #lastId: string | null = null

  constructor(emit: Emit) {
    this.#emit = emit
  }

  get lastId(): string | null {
    return this.#lastId
  }

  /** Adds an item to the end of the conversation and reports it. */
  add(item: Item): void {
    const previousId = this.#lastId
    this.#lastId = item.id
    this.#keep(item)
    this.#emit({ type: 'conversation.item.added', previous_item_id: previousId, item })
  }

  /** Reports that an item is complete. */
  finish(item: Item): void {
    this.#keep(item)
    this.#emit({ type: 'conversation.item.done', item })
  }

  /** All remembered items, oldest first. */
  get all(): readonly Item[] {
    return [...this.#items.values()].map(({ item }) => item)
  }

  /** Replaces an item without reporting it, because other events have reported the change. */
  replace(item: Item): void {
    if (this.#items.has(item.id)) this.#keep(item)
  }

  /** Echoes an item of the client or the service. Returns null if it was refused. */
  create(event: Fields): Item | null {
    const { id: givenId, ...given } = fieldsOf(event.item)
    const after = event.previous_item_id
    if (typeof after === 'string' && after !== this.#lastId && !(after === 'root' && this.#lastId === null)) {
      this.#emit(errorEvent(event, 'unsupported_by_provider', 'Items can only be added at the end.'))
      return null
    }
    const id = textOf(givenId)
    if (id.length > maxIdCharacters || this.#items.has(id)) {
      this.#emit(errorEvent(event, 'invalid_value', 'The ID of an item must be short and unique.', 'item.id'))
      return null
    }
    const status = { object: 'realtime.item', status: 'completed' }
    const item = { id: id || makeId('item'), ...status, ...given }
    this.add(item)
    this.finish(item)
    return item
  }

  /** Answers a request for an item. */
  retrieve(event: Fields): void {
    const kept = this.#items.get(textOf(event.item_id))
    if (kept === undefined) this.#emitUnknown(event)
    else this.#emit({ type: 'conversation.item.retrieved', item: kept.item })
  }

  /** Confirms that an answer was cut. Only the client and the service know of it. */
  truncate(event: Fields): void {
    const { item_id, content_index, audio_end_ms } = event
    if (!this.#items.has(textOf(item_id))) this.#emitUnknown(event)
    else this.#emit({ type: 'conversation.item.truncated', item_id, content_index, audio_end_ms })
  }

  #emitUnknown(event: Fields): void {
    this.#emit(errorEvent(event, 'item_not_found', 'The conversation has no such item.', 'item_id'))
  }

  #keep(item: Item): void {
    const characters = JSON.stringify(item).length
    this.#characters += characters - (this.#items.get(item.id)?.characters ?? 0)
    // A known item keeps its place.
    this.#items.set(item.id, { item, characters })
    for (const id of this.#items.keys()) {
      if (this.#characters <= maxCharacters || id === item.id) break
      this.#forget(id)
    }
  }

  #forget(id: string): void {
    this.#characters -= this.#items.get(id)?.characters ?? 0
    this.#items.delete(id)
  }
}

/** Returns the text of a message, and whether it contains anything else. */
export function messageText(item: Fields): { readonly text: string; readonly isTextOnly: boolean } {
  const parts = listOf(item.content)
  const isText = (part: Fields) => /^(?:input_|output_)?text$/.test(textOf(part.type))
  return {
    text: parts.map((part) => (isText(part) ? textOf(part.text) : '')).join(''),
    isTextOnly: parts.every(isText),
  }
}
