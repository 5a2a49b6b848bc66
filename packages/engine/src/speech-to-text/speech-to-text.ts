import type { AudioClip } from '../audio/pcm.js'
import type { Outcome } from '../runtime/outcome.js'

/** What a client said about the speech to come. */
export interface TranscriptionHints {
  readonly model?: string | undefined
  readonly language?: string | undefined
  readonly prompt?: string | undefined
}

/** Speech to words. Silence and noise give the empty text. */
export interface SpeechToText {
  /** Whether a guess at a sentence that may go on costs nothing now but this machine's time. */
  readonly canGuess: boolean
  /** There will be speech soon. */
  prepare?(): void
  transcribe(clip: AudioClip, hints: TranscriptionHints): Promise<Outcome<string>>
}
