import type { SpeechToText } from '../speech-to-text/speech-to-text.js'
import type { TextModel } from '../text-model/text-model.js'
import type { TextToSpeech } from '../text-to-speech/text-to-speech.js'
import type { VoiceActivity } from '../voice-activity/voice-activity.js'

/** The parts that a session uses. All sessions share them, except a text model of a single client. */
export interface EngineParts {
  readonly voiceActivity: VoiceActivity
  readonly speechToText: SpeechToText
  readonly textModel: TextModel
  readonly textToSpeech: TextToSpeech
  /** The free and total capacity, in jobs. */
  readonly capacity: () => { readonly limit: number; readonly remaining: number }
}
