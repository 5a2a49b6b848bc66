const samplesPerMillisecond = 24

interface PlayedPiece {
  readonly itemId: string
  readonly contentIndex: number
  readonly startsAt: number
  readonly milliseconds: number
}

/** What of an answer was heard when it was cut. */
export interface HeardPart {
  readonly itemId: string
  readonly contentIndex: number
  readonly milliseconds: number
}

/** A speaker without a loudspeaker: sound comes much faster than it is heard, and what counts is what was heard. */
export class AnswerPlayback {
  #pieces: PlayedPiece[] = []
  #endsAt = 0

  take(
    {
      itemId,
      contentIndex,
      samples,
    }: { readonly itemId: string; readonly contentIndex: number; readonly samples: Int16Array },
    now: number,
  ): void {
    const startsAt = Math.max(now, this.#endsAt)
    const milliseconds = samples.length / samplesPerMillisecond
    this.#pieces.push({ itemId, contentIndex, startsAt, milliseconds })
    this.#endsAt = startsAt + milliseconds
  }

  isPlaying(now: number): boolean {
    return this.#endsAt > now
  }

  /** Falls silent, and tells how much of the item that was playing had been heard; null where nothing was. */
  cut(now: number): HeardPart | null {
    const playing = this.#pieces.find(({ startsAt, milliseconds }) => startsAt + milliseconds > now)
    const heard = this.#pieces
      .filter(({ itemId }) => itemId === playing?.itemId)
      .reduce(
        (sum, { startsAt, milliseconds }) => sum + Math.max(0, Math.min(milliseconds, now - startsAt)),
        0,
      )
    this.clear()
    if (playing === undefined) return null
    const { itemId, contentIndex } = playing
    return { itemId, contentIndex, milliseconds: Math.floor(heard) }
  }

  /** What was not played yet counts as heard: whoever listens to the end need not be waited for. */
  clear(): void {
    this.#pieces = []
    this.#endsAt = 0
  }
}
