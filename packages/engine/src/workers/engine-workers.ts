import { type AudioClip, recognitionRate } from '../audio/pcm.js'
import { resampleClip } from '../audio/resampler.js'
import type { RuntimeChoice } from '../speech-to-text/moonshine.js'
import { keepNativeLibrary } from '../speech-to-text/native-library.js'
import type { SpeechToText } from '../speech-to-text/speech-to-text.js'
import type { SpeechJob } from '../text-to-speech/flite.js'
import type { TextToSpeech } from '../text-to-speech/text-to-speech.js'
import { fliteVoice } from '../text-to-speech/voices.js'
import type { DetectorJob, DetectorResult, VoiceActivity } from '../voice-activity/voice-activity.js'
import { WorkQueue } from './work-queue.js'

export interface EngineWorkersOptions {
  readonly runtime: RuntimeChoice
  /** Pieces of work that may wait for each worker. */
  readonly maxWaiting: number
  readonly onProgress: (line: string) => void
  /** Called when a recognizer thread is ready. By default, this thread holds the native library from then on. */
  readonly onHearing?: () => void
}

/** The local models, as one owner uses them. */
export interface OwnedWorkers {
  readonly voiceActivity: VoiceActivity
  readonly speechToText: SpeechToText
  readonly textToSpeech: TextToSpeech
}

/** The local models, each in a separate thread so that they do not block each other. Owners take turns. */
export interface EngineWorkers extends OwnedWorkers {
  ownedBy(owner: string): OwnedWorkers
  capacity(): { readonly limit: number; readonly remaining: number }
  close(): Promise<void>
}

export function startEngineWorkers(options: EngineWorkersOptions): EngineWorkers {
  const { runtime, maxWaiting, onProgress } = options
  const onHearing = options.onHearing ?? (runtime === 'wasm' ? () => undefined : keepNativeLibrary)
  const common = { maxWaiting, onProgress, workerData: { runtime } }
  const file = (name: string) => new URL(`./${name}.worker.js`, import.meta.url)
  const activity = new WorkQueue<DetectorJob, DetectorResult>({
    ...common,
    file: new URL('../silero/voice-activity.worker.js', import.meta.url),
    // A job takes a millisecond and every talking client has one in flight, so the queue is much longer.
    maxWaiting: maxWaiting * 16,
  })
  const hearing = new WorkQueue<Int16Array, string>({
    ...common,
    file: file('speech-to-text'),
    onReady: onHearing,
  })
  const speaking = new WorkQueue<SpeechJob, AudioClip>({ ...common, file: file('text-to-speech') })
  const ownedBy = (owner: string): OwnedWorkers => ({
    voiceActivity: { prepare: () => activity.prepare(), detect: (job) => activity.run(job, owner) },
    speechToText: {
      // Under load, committed speech goes before early transcripts.
      get canGuess() {
        return hearing.room > hearing.capacity / 2
      },
      prepare: () => hearing.prepare(),
      transcribe: (clip) => hearing.run(resampleClip(clip, recognitionRate), owner),
    },
    textToSpeech: {
      prepare: () => speaking.prepare(),
      speak: ({ text, voice, speed }) => speaking.run({ text, voice: fliteVoice(voice), speed }, owner),
    },
  })
  return {
    ...ownedBy(''),
    ownedBy,
    capacity: () => ({ limit: hearing.capacity, remaining: Math.min(hearing.room, speaking.room) }),
    close: async () => {
      await Promise.all([activity.close(), hearing.close(), speaking.close()])
    },
  }
}
