const loudSample = 1000

/** Finds the beginning and the end of speech in samples, as providers do. */
export class SpeechDetector {
  readonly #quietSamples: number
  #quiet = 0
  #isSpeaking = false

  /** Speech ends after 400 ms of silence. */
  constructor(rate: number) {
    this.#quietSamples = rate * 0.4
  }

  get isSpeaking(): boolean {
    return this.#isSpeaking
  }

  /** Called when the client has ended the speech. */
  reset(): void {
    this.#isSpeaking = false
  }

  /** Returns what the samples contain, in order. */
  push(samples: readonly number[]): readonly ('begins' | 'ends')[] {
    const found: ('begins' | 'ends')[] = []
    for (const sample of samples) {
      this.#quiet = Math.abs(sample) >= loudSample ? 0 : this.#quiet + 1
      if (!this.#isSpeaking && this.#quiet === 0) {
        this.#isSpeaking = true
        found.push('begins')
      } else if (this.#isSpeaking && this.#quiet >= this.#quietSamples) {
        this.#isSpeaking = false
        found.push('ends')
      }
    }
    return found
  }
}

/** Returns the samples of PCM16 in Base64. */
export function samplesOf(base64: unknown): readonly number[] {
  const bytes = Buffer.from(String(base64), 'base64')
  return Array.from({ length: Math.floor(bytes.length / 2) }, (_, index) => bytes.readInt16LE(index * 2))
}
