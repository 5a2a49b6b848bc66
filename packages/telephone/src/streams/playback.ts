import type { Cleared } from '../leg.js'

/** A piece of audio that was given to the carrier, with a mark after it. */
interface Piece {
  readonly mark: string
  readonly passage: string
  readonly milliseconds: number
  /** The passage's audio up to the end of this piece. */
  readonly passageMilliseconds: number
}

/** A carrier that sends no marks leaves all pieces waiting. The oldest ones are forgotten beyond this. */
const maxPieces = 5000

export interface PlayedPassage {
  readonly passage: string
  readonly milliseconds: number
}

/**
 * Accounts for the audio that waits at the carrier. A mark that comes back proves that everything before it was
 * played. Between two marks the clock decides, so the result is never more than the next mark allows.
 */
export class Playback {
  readonly #now: () => number
  readonly #waiting: Piece[] = []
  /** When the first waiting piece began to play. */
  #startedAt = 0
  /** When the last piece ends by the clock. */
  #endsAt = 0
  #marks = 0
  #waitingMilliseconds = 0
  /** The passage of the newest audio. */
  #lastPassage: PlayedPassage | null = null

  constructor(now: () => number) {
    this.#now = now
  }

  /** The audio that was not played, by the clock. Marks correct it, but some carriers send none. */
  get unplayedMilliseconds(): number {
    return Math.max(this.#endsAt - this.#now(), 0)
  }

  /** Adds a piece of audio. Returns the name of the mark to ask for after it. */
  add(passage: string, milliseconds: number): string {
    if (this.#waiting.length === 0) this.#startedAt = this.#now()
    const before = this.#lastPassage?.passage === passage ? this.#lastPassage.milliseconds : 0
    const passageMilliseconds = before + milliseconds
    this.#lastPassage = { passage, milliseconds: passageMilliseconds }
    this.#waitingMilliseconds += milliseconds
    this.#endsAt = Math.max(this.#endsAt, this.#now()) + milliseconds
    this.#marks += 1
    const mark = `parley-${this.#marks}`
    this.#waiting.push({ mark, passage, milliseconds, passageMilliseconds })
    if (this.#waiting.length > maxPieces)
      this.#waitingMilliseconds -= this.#waiting.shift()?.milliseconds ?? 0
    return mark
  }

  /**
   * Accounts for a mark that came back, and for lost marks before it. Returns the passages whose audio was played.
   * Marks of cleared audio come back too, and are unknown here.
   */
  acknowledge(mark: string): PlayedPassage[] {
    const index = this.#waiting.findIndex((piece) => piece.mark === mark)
    if (index < 0) return []
    const played = this.#waiting.splice(0, index + 1)
    this.#startedAt = this.#now()
    for (const { milliseconds } of played) this.#waitingMilliseconds -= milliseconds
    this.#endsAt = this.#now() + this.#waitingMilliseconds
    return played
      .filter(({ passage }, at) => (played[at + 1] ?? this.#waiting[0])?.passage !== passage)
      .map(({ passage, passageMilliseconds }) => ({ passage, milliseconds: passageMilliseconds }))
  }

  /** Forgets the waiting audio. Returns how much of the passage that plays now was heard. */
  clear(): Cleared {
    const [first] = this.#waiting.splice(0)
    this.#waitingMilliseconds = 0
    this.#endsAt = this.#now()
    if (first === undefined) return { passage: null, playedMilliseconds: 0 }
    const heard = Math.min(Math.max(this.#now() - this.#startedAt, 0), first.milliseconds)
    const milliseconds = first.passageMilliseconds - first.milliseconds + heard
    this.#lastPassage = { passage: first.passage, milliseconds }
    return { passage: first.passage, playedMilliseconds: Math.round(milliseconds) }
  }
}
