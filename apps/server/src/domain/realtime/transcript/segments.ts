import { BoundedMap } from '../../../concurrency/bounded-map.js'
import type { MessagePosition } from '../../../ports/conversation-stores.js'
import { RecentIds } from '../../recent-ids.js'
import { unnamedPrefix } from '../protocol/lost-provider.js'

export interface SegmentId {
  readonly itemId: string
  readonly contentIndex: number
}

/** The fields that a segment has from the beginning. */
export interface SegmentStart extends SegmentId {
  readonly role: 'user' | 'assistant'
  /** The response of an assistant's segment. Null for a user's segment. */
  readonly responseId: string | null
}

export interface OpenSegment extends SegmentStart {
  readonly position: MessagePosition
  /** The text of the deltas so far. */
  readonly partialText: string
}

/** The maximum length of one segment's text, and of all deltas of open segments. */
const maxSegmentCharacters = 1_000_000
const maxOpenCharacters = 4_000_000
/**
 * The maximum number of open segments. No conversation reaches it. It prevents a provider that opens any
 * number of segments from filling the memory.
 */
const maxOpenSegments = 10_000
const maxSetAside = 1000

/*
 * The open and closed transcript segments of a session. A closed segment cannot be opened again.
 *
 *   unknown ──open──► open ──close──► closed: stored, or empty
 *      ▲              │  ▲
 *      └───discard────┤  │ opened again, in its old position
 *                     └──set aside
 */
export class Segments {
  readonly #nextPosition: () => MessagePosition
  readonly #open = new Map<string, Writable>()
  /** The open segments by role and response, oldest first. Avoids a search through all open segments. */
  readonly #openOf = new Map<string, Set<Writable>>()
  readonly #closedKeys = new RecentIds()
  /** The positions of segments that were set aside, oldest first. */
  readonly #positionsSetAside = new BoundedMap<string, MessagePosition>(maxSetAside)
  readonly #storedItemIds = new Set<string>()
  /** The ids of the stored items per response, in order. */
  readonly #storedOf = new Map<string, Set<string>>()
  #openCharacters = 0
  #unnamedItems = 0

  constructor(nextPosition: () => MessagePosition) {
    this.#nextPosition = nextPosition
  }

  /** Oldest first. */
  get allOpen(): readonly OpenSegment[] {
    return [...this.#open.values()]
  }

  isStored(itemId: string): boolean {
    return this.#storedItemIds.has(itemId)
  }

  /** Returns the ids of the stored items of one response. */
  itemsStoredOf(responseId: string): readonly string[] {
    return [...(this.#storedOf.get(responseId) ?? [])]
  }

  /**
   * Returns the open segment with this id, which is opened if necessary. Returns null if it is closed or if
   * too many segments are open.
   */
  open(start: SegmentStart): OpenSegment | null {
    const key = keyOf(start)
    if (this.#closedKeys.has(key)) return null
    const open = this.#open.get(key)
    if (open) return open
    if (this.#open.size === maxOpenSegments) return null
    const position = this.#positionsSetAside.get(key) ?? this.#nextPosition()
    this.#positionsSetAside.delete(key)
    const segment = { ...start, position, partialText: '' }
    this.#open.set(key, segment)
    this.#siblingsOf(segment).add(segment)
    return segment
  }

  /** Appends to the text of an open segment, up to the limits. */
  append({ itemId, contentIndex }: SegmentId, delta: string): void {
    const segment = this.#open.get(keyOf({ itemId, contentIndex }))
    if (segment === undefined) return
    const room = Math.min(
      maxSegmentCharacters - segment.partialText.length,
      maxOpenCharacters - this.#openCharacters,
    )
    const fitting = delta.slice(0, Math.max(0, room))
    segment.partialText += fitting
    this.#openCharacters += fitting.length
  }

  /** Replaces the text of an open segment, up to the limits. */
  replaceText(id: SegmentId, text: string): void {
    const segment = this.#open.get(keyOf(id))
    if (segment === undefined) return
    this.#openCharacters -= segment.partialText.length
    segment.partialText = ''
    this.append(id, text)
  }

  /** Returns the oldest open segment, or null if none is open. */
  oldestOpen(role: SegmentStart['role'], responseId: string | null = null): OpenSegment | null {
    const [oldest] = this.#openOf.get(siblingKey(role, responseId)) ?? []
    return oldest ?? null
  }

  /** Returns an id for an item or response for which the provider sent none. */
  nextUnnamedId(): string {
    this.#unnamedItems += 1
    return `${unnamedPrefix}${this.#unnamedItems}`
  }

  close(segment: OpenSegment, outcome: 'stored' | 'empty'): void {
    this.discard(segment)
    this.#closedKeys.add(keyOf(segment))
    if (outcome === 'empty') return
    const { itemId, responseId } = segment
    this.#storedItemIds.add(itemId)
    if (responseId === null) return
    const items = this.#storedOf.get(responseId) ?? new Set()
    this.#storedOf.set(responseId, items.add(itemId))
  }

  /** Drops a segment without using its position. It may be opened again. */
  discard({ itemId, contentIndex }: SegmentId): void {
    const key = keyOf({ itemId, contentIndex })
    const segment = this.#open.get(key)
    if (segment === undefined) return
    this.#open.delete(key)
    this.#openCharacters -= segment.partialText.length
    const siblings = this.#siblingsOf(segment)
    siblings.delete(segment)
    if (siblings.size === 0) this.#openOf.delete(siblingKey(segment.role, segment.responseId))
  }

  /**
   * Called when no more text is expected. If text arrives anyway, the segment is opened again at its old
   * position.
   */
  setAside(segment: OpenSegment): void {
    this.discard(segment)
    this.#positionsSetAside.set(keyOf(segment), segment.position)
  }

  #siblingsOf({ role, responseId }: SegmentStart): Set<Writable> {
    const key = siblingKey(role, responseId)
    const siblings = this.#openOf.get(key) ?? new Set()
    this.#openOf.set(key, siblings)
    return siblings
  }
}

type Writable = { -readonly [Field in keyof OpenSegment]: OpenSegment[Field] }

/** Returns the part of a segment's text that is stored. */
export function storedText(text: string): string {
  return text.length <= maxSegmentCharacters ? text : text.slice(0, maxSegmentCharacters).toWellFormed()
}

function siblingKey(role: SegmentStart['role'], responseId: string | null): string {
  return `${role} ${responseId === null ? '' : `of ${responseId}`}`
}

function keyOf({ itemId, contentIndex }: SegmentId): string {
  return `${itemId}#${contentIndex}`
}
