import type { AudioOptions } from '../audio/audio-options.js'
import { BrowserAudio } from '../audio/browser-audio.js'
import { Voice } from './voice.js'
import { noAudio, type VoiceAudio } from './voice-audio.js'
import type { VoiceOptions } from './voice-options.js'

export interface ConnectOptions extends VoiceOptions, AudioOptions {}

/** Resolves when the agent listens; rejects with a VoiceError that says why it does not. Call it in the click. */
export async function connect(options: ConnectOptions): Promise<Voice> {
  const voice = startVoice(options)
  await voice.ready
  return voice
}

/** The same without waiting, for whoever shows how it comes about. Each voice is started once; the next one is another. */
export function startVoice(options: ConnectOptions): Voice {
  return new Voice(options, openAudio(options))
}

function openAudio(options: ConnectOptions): VoiceAudio {
  const isWanted = options.microphone !== false || options.speaker !== false
  return isWanted && typeof AudioContext === 'function' ? new BrowserAudio(options) : noAudio
}
