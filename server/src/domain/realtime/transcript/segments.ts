export interface Place {
  readonly microseconds: number
  readonly counter: number
}

export interface OpenSegment {
  readonly itemId: string
  readonly contentIndex: number
  readonly role: 'user' | 'assistant'
  readonly place: Place
  readonly responseId: string | null
  heard: string
}

/** Which turns of a session are open, and which are over: those are not begun again. */
export class Segments {
  readonly #nextPosition: () => Place
  readonly #open = new Map<string, OpenSegment>()
  readonly #over = new Map<string, { readonly turn: OpenSegment; readonly outcome: 'stored' | 'empty' }>()
  #names = 0

  constructor(nextPosition: () => Place) {
    this.#nextPosition = nextPosition
  }

  /** The turns that are open, oldest first. */
  get open(): readonly OpenSegment[] {
    return [...this.#open.values()]
  }

  /** The turns that were stored. */
  get stored(): readonly OpenSegment[] {
    return [...this.#over.values()].flatMap(({ turn, outcome }) => (outcome === 'stored' ? [turn] : []))
  }

  /** The open turn of this name, begun where there is none; null where it is over already. */
  turn(
    itemId: string,
    contentIndex: number,
    role: 'user' | 'assistant',
    responseId: string | null,
  ): OpenSegment | null {
    const key = keyOf({ itemId, contentIndex })
    if (this.#over.has(key)) return null
    const open = this.#open.get(key)
    if (open) return open
    const turn = { itemId, contentIndex, role, place: this.#nextPosition(), responseId, heard: '' }
    this.#open.set(key, turn)
    return turn
  }

  /** The turn that waits longest for its end. */
  oldest(role: 'user' | 'assistant', responseId: string | null = null): OpenSegment | null {
    return this.open.find((turn) => turn.role === role && turn.responseId === responseId) ?? null
  }

  /** A name for what the provider gives none. */
  newName(): string {
    this.#names += 1
    return `${unnamed}${this.#names}`
  }

  close(turn: OpenSegment, outcome: 'stored' | 'empty'): void {
    this.forget(turn)
    this.#over.set(keyOf(turn), { turn, outcome })
  }

  /** Gives the turn's place back; it may begin again. */
  forget(turn: OpenSegment): void {
    this.#open.delete(keyOf(turn))
  }
}

const unnamed = 'unnamed:'

export const isUnnamed = ({ itemId }: OpenSegment) => itemId.startsWith(unnamed)

function keyOf({ itemId, contentIndex }: { readonly itemId: string; readonly contentIndex: number }): string {
  return `${itemId}#${contentIndex}`
}
