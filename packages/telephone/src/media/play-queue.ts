import type { Cleared } from '../leg.js'
import { frameBytes } from './frame.js'

const bytesPerMillisecond = 8
/** Ten minutes. Models send faster than the audio plays, but no answer is that long. */
const maxQueuedBytes = 10 * 60 * 1000 * bytesPerMillisecond

interface Chunk {
  readonly audio: Uint8Array
  readonly passage: string
}

/** The audio that waits to be sent, and how much of the current passage has been sent. */
export class PlayQueue {
  readonly #played: (passage: string, milliseconds: number) => void
  #chunks: Chunk[] = []
  /** The bytes of the first chunk that were sent. */
  #offset = 0
  #queuedBytes = 0
  #passage: string | null = null
  #sentBytes = 0
  #isReported = true

  constructor(played: (passage: string, milliseconds: number) => void) {
    this.#played = played
  }

  /** Audio beyond the limit is dropped. */
  add(audio: Uint8Array, passage: string): void {
    if (audio.length === 0 || this.#queuedBytes + audio.length > maxQueuedBytes) return
    this.#chunks.push({ audio, passage })
    this.#queuedBytes += audio.length
  }

  /** Fills the start of a frame of silence with queued audio. */
  fill(frame: Uint8Array): void {
    let filled = 0
    while (filled < frameBytes) {
      const [chunk] = this.#chunks
      if (chunk === undefined) break
      this.#enter(chunk.passage)
      const length = Math.min(frameBytes - filled, chunk.audio.length - this.#offset)
      frame.set(chunk.audio.subarray(this.#offset, this.#offset + length), filled)
      filled += length
      this.#offset += length
      this.#sentBytes += length
      this.#isReported = false
      this.#queuedBytes -= length
      if (this.#offset < chunk.audio.length) break
      this.#chunks.shift()
      this.#offset = 0
    }
    if (filled > 0 && this.#chunks.length === 0) this.#report()
  }

  /** Discards the queued audio. The passage continues to count if more of it follows. */
  clear(): Cleared {
    const passage = this.#chunks[0]?.passage ?? null
    const playedMilliseconds = passage !== null && passage === this.#passage ? this.#sentMilliseconds : 0
    this.#isReported = true
    this.#chunks = []
    this.#offset = 0
    this.#queuedBytes = 0
    return { passage, playedMilliseconds }
  }

  get #sentMilliseconds(): number {
    return this.#sentBytes / bytesPerMillisecond
  }

  #enter(passage: string): void {
    if (passage === this.#passage) return
    // The last passage was played to its end, because nothing of it waits.
    if (!this.#isReported) this.#report()
    this.#passage = passage
    this.#sentBytes = 0
  }

  #report(): void {
    this.#isReported = true
    if (this.#passage !== null) this.#played(this.#passage, this.#sentMilliseconds)
  }
}
