import type { AudioClip } from '../audio/pcm.js'
import type { Outcome } from '../runtime/outcome.js'

export interface Sentence {
  readonly text: string
  /** The provider's name of a voice, or any other: an unknown one gets the first voice. */
  readonly voice: string
  /** 0.25 to 1.5; 1 is the voice's own. */
  readonly speed: number
}

/** Words to speech, a sentence at a time. */
export interface TextToSpeech {
  /** There will be something to say soon. */
  prepare?(): void
  speak(sentence: Sentence): Promise<Outcome<AudioClip>>
}
