import { invalidRequest, type ProtocolError } from '../protocol/protocol-error.js'
import { type AudioPart, type Item, type MessageItem, partMilliseconds } from './item.js'
import { truncatePart } from './truncate-part.js'

export type Inserted =
  | { readonly ok: true; readonly previousItemId: string | null }
  | { readonly ok: false; readonly error: ProtocolError }

/** A conversation keeps about eight minutes of audio. Older items keep their text but lose their audio. */
const maxSoundBytes = 16 * 1024 * 1024

/** The items of a conversation, in order. */
export class Conversation {
  #items: Item[] = []
  /** The sentences of each spoken answer, one per clip. */
  readonly #sentences = new Map<string, readonly string[]>()

  get items(): readonly Item[] {
    return this.#items
  }

  get lastItemId(): string | null {
    return this.#items.at(-1)?.id ?? null
  }

  find(id: string): Item | null {
    return this.#items.find((item) => item.id === id) ?? null
  }

  /** Inserts after the named item. 'root' means the start, and no name means the end. */
  insert(item: Item, previousItemId: string | null = null): Inserted {
    const error = this.#findError(item, previousItemId)
    if (error !== null) return { ok: false, error }
    const place = this.#placeAfter(previousItemId)
    this.#items.splice(place, 0, item)
    this.#forgetOldSound()
    return { ok: true, previousItemId: this.#items[place - 1]?.id ?? null }
  }

  /** Replaces an item with its new state. A deleted item stays deleted. */
  replace(item: Item, sentences?: readonly string[]): void {
    const place = this.#items.findIndex(({ id }) => id === item.id)
    if (place === -1) return
    this.#items[place] = item
    if (sentences !== undefined) this.#sentences.set(item.id, sentences)
  }

  remove(id: string): ProtocolError | null {
    const place = this.#items.findIndex((item) => item.id === id)
    if (place === -1) return noSuchItem('delet', id)
    this.#items.splice(place, 1)
    this.#sentences.delete(id)
    return null
  }

  retrieve(id: string): Item | ProtocolError {
    return this.find(id) ?? noSuchItem('retriev', id)
  }

  /** Drops the part of a spoken answer that the user did not hear. */
  truncate(id: string, contentIndex: number, endMilliseconds: number): ProtocolError | null {
    const item = this.find(id)
    if (item === null) return noSuchItem('truncat', id)
    const part = item.kind === 'message' && item.role === 'assistant' ? item.parts[contentIndex] : undefined
    if (item.kind !== 'message' || part?.kind !== 'audio')
      return invalidRequest(
        'unsupported_content_type',
        'Only model output audio messages can be truncated.',
        'item_id',
      )
    const length = partMilliseconds(part)
    if (endMilliseconds > length)
      return invalidRequest(
        'invalid_value',
        `Audio content of ${length}ms is already shorter than ${endMilliseconds}ms`,
        'audio_end_ms',
      )
    const sentences = this.#sentences.get(id) ?? []
    this.replace(withPart(item, contentIndex, truncatePart(part, sentences, endMilliseconds)))
    return null
  }

  #findError(item: Item, previousItemId: string | null): ProtocolError | null {
    if (this.find(item.id) !== null)
      return invalidRequest('invalid_value', `An item with id '${item.id}' already exists.`, 'item.id')
    if (
      item.kind === 'output' &&
      !this.#items.some((other) => other.kind === 'call' && other.callId === item.callId)
    )
      return invalidRequest(
        'invalid_tool_call_id',
        `Tool call ID '${item.callId}' not found in conversation.`,
        'item.call_id',
      )
    if (previousItemId !== null && previousItemId !== 'root' && this.find(previousItemId) === null)
      return invalidRequest(
        'item_create_invalid_previous_item_id',
        `Error creating item: the previous item with id '${previousItemId}' does not exist.`,
        'previous_item_id',
      )
    return null
  }

  #placeAfter(previousItemId: string | null): number {
    if (previousItemId === null) return this.#items.length
    return this.#items.findIndex(({ id }) => id === previousItemId) + 1
  }

  #forgetOldSound(): void {
    let bytes = 0
    for (const item of this.#items.toReversed()) {
      if (item.kind !== 'message') continue
      const size = soundBytes(item)
      bytes += size
      if (bytes > maxSoundBytes && size > 0) this.replace({ ...item, parts: item.parts.map(withoutSound) })
    }
  }
}

export function withPart(item: MessageItem, index: number, part: MessageItem['parts'][number]): MessageItem {
  return { ...item, parts: item.parts.map((old, place) => (place === index ? part : old)) }
}

function soundBytes(item: MessageItem): number {
  let bytes = 0
  for (const part of item.parts)
    if (part.kind === 'audio') for (const clip of part.clips) bytes += clip.samples.byteLength
  return bytes
}

function withoutSound(part: MessageItem['parts'][number]): MessageItem['parts'][number] {
  return part.kind === 'text' ? part : ({ ...part, clips: [] } satisfies AudioPart)
}

function noSuchItem(stem: 'delet' | 'retriev' | 'truncat', id: string): ProtocolError {
  return invalidRequest(
    `item_${stem}e_invalid_item_id`,
    `Error ${stem}ing item: the item with id '${id}' does not exist.`,
    'item_id',
  )
}
