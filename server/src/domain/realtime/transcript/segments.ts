import type { MessagePosition } from '../../../ports/conversation-store.js'

export interface SegmentId {
  readonly itemId: string
  readonly contentIndex: number
}

/** What a transcript segment is known by from its beginning. */
export interface SegmentStart extends SegmentId {
  readonly role: 'user' | 'assistant'
  /** The response that says it; null for a user's words. */
  readonly responseId: string | null
}

export interface OpenSegment extends SegmentStart {
  readonly position: MessagePosition
  /** What has come of its text in deltas. */
  partialText: string
}

/*
 * Which transcript segments of a session are open, and which are closed: those are not opened again.
 *
 *   unknown ──open──► open ──close──► closed: stored, or empty
 *      ▲               │
 *      └────discard────┘
 */
export class Segments {
  readonly #nextPosition: () => MessagePosition
  readonly #open = new Map<string, OpenSegment>()
  readonly #closed = new Map<string, { readonly segment: OpenSegment; readonly isStored: boolean }>()
  #unnamedItems = 0

  constructor(nextPosition: () => MessagePosition) {
    this.#nextPosition = nextPosition
  }

  /** Oldest first. */
  get allOpen(): readonly OpenSegment[] {
    return [...this.#open.values()]
  }

  get allStored(): readonly OpenSegment[] {
    return [...this.#closed.values()].flatMap(({ segment, isStored }) => (isStored ? [segment] : []))
  }

  /** The open segment of this id, opened where there is none; null where it is closed already. */
  open(start: SegmentStart): OpenSegment | null {
    const key = keyOf(start)
    if (this.#closed.has(key)) return null
    const open = this.#open.get(key)
    if (open) return open
    const segment = { ...start, position: this.#nextPosition(), partialText: '' }
    this.#open.set(key, segment)
    return segment
  }

  /** The segment that has been open longest. */
  oldestOpen(role: SegmentStart['role'], responseId: string | null = null): OpenSegment | null {
    return this.allOpen.find((segment) => segment.role === role && segment.responseId === responseId) ?? null
  }

  /** An id for an item, or a response, that the provider gives none. */
  nextUnnamedId(): string {
    this.#unnamedItems += 1
    return `${unnamedPrefix}${this.#unnamedItems}`
  }

  close(segment: OpenSegment, outcome: 'stored' | 'empty'): void {
    this.discard(segment)
    this.#closed.set(keyOf(segment), { segment, isStored: outcome === 'stored' })
  }

  /** Its position is not used; it may be opened again. */
  discard(segment: OpenSegment): void {
    this.#open.delete(keyOf(segment))
  }
}

const unnamedPrefix = 'unnamed:'

function keyOf({ itemId, contentIndex }: SegmentId): string {
  return `${itemId}#${contentIndex}`
}
