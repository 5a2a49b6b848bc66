import type { SpeechToText } from '../speech-to-text/speech-to-text.js'
import type { TextModel } from '../text-model/text-model.js'
import type { TextToSpeech } from '../text-to-speech/text-to-speech.js'
import type { VoiceActivity } from '../voice-activity/voice-activity.js'

/** What a session works with. All of them share it, but for a text model that is one client's alone. */
export interface EngineParts {
  readonly voiceActivity: VoiceActivity
  readonly speechToText: SpeechToText
  readonly textModel: TextModel
  readonly textToSpeech: TextToSpeech
  /** How many more pieces of work fit in, of how many. */
  readonly capacity: () => { readonly limit: number; readonly remaining: number }
}
