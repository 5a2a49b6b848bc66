import type { AudioClip } from '../audio/pcm.js'
import type { Outcome } from '../runtime/outcome.js'

/** The client's hints about the speech. */
export interface TranscriptionHints {
  readonly model?: string | undefined
  readonly language?: string | undefined
  readonly prompt?: string | undefined
}

/** Transcribes speech. Returns the empty text for silence and noise. */
export interface SpeechToText {
  /** Returns whether an early transcript would cost nothing but local CPU time now. */
  readonly canGuess: boolean
  /** Called before speech is expected. */
  prepare?(): void
  transcribe(clip: AudioClip, hints: TranscriptionHints): Promise<Outcome<string>>
}
