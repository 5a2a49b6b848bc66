import type { HeardAudio } from './loudness.js'

/** The provider's silence has a little noise. Louder audio is speech of the model. */
const speechLoudness = 0.0006

/**
 * The silence of the model, which separates its answers. A cancelled answer goes on unheard, until the model was silent for
 * long enough.
 */
export class ModelSilence {
  #milliseconds = 0
  /** The silence that ends a cancelled answer. Null if there is none. */
  #mutedUntil: number | null = null

  /** How long the model has been silent. */
  get milliseconds(): number {
    return this.#milliseconds
  }

  get isMuted(): boolean {
    return this.#mutedUntil !== null
  }

  /** Notes audio of the model. Returns whether it is speech. */
  note({ milliseconds, loudness }: HeardAudio): boolean {
    const isSpeech = loudness >= speechLoudness
    this.#milliseconds = isSpeech ? 0 : this.#milliseconds + milliseconds
    return isSpeech
  }

  mute(untilMilliseconds: number): void {
    this.#milliseconds = 0
    this.#mutedUntil = untilMilliseconds
  }

  /** Called after muted audio. A cancelled answer that was only announced may begin yet: then it ends after `quiet`. */
  unmute(isSpeech: boolean, quiet: number): void {
    if (isSpeech) this.#mutedUntil = quiet
    else if (this.#milliseconds >= (this.#mutedUntil ?? 0)) this.#mutedUntil = null
  }
}
