import type { AudioClip } from '../audio/pcm.js'
import type { Outcome } from '../runtime/outcome.js'

export interface Sentence {
  readonly text: string
  /** The voice's name. An unknown name selects the first voice. */
  readonly voice: string
  /** 0.25 to 1.5. 1 is the voice's normal speed. */
  readonly speed: number
}

/** Synthesizes speech, one sentence at a time. */
export interface TextToSpeech {
  /** Called before speech is needed. */
  prepare?(): void
  speak(sentence: Sentence): Promise<Outcome<AudioClip>>
}
