import type { AudioOptions } from '../audio/audio-options.js'
import { BrowserAudio } from '../audio/browser-audio.js'
import { Voice } from './voice.js'
import { noAudio, type VoiceAudio } from './voice-audio.js'
import type { VoiceOptions } from './voice-options.js'

export interface ConnectOptions extends VoiceOptions, AudioOptions {}

/** Resolves when the agent listens. Rejects with a VoiceError otherwise. Call it in a click handler. */
export async function connect(options: ConnectOptions): Promise<Voice> {
  const voice = startVoice(options)
  await voice.ready
  return voice
}

/**
 * Like `connect`, but does not wait, so that the page can show the progress. Each voice is started only
 * once.
 */
export function startVoice(options: ConnectOptions): Voice {
  return new Voice(options, openAudio(options))
}

function openAudio(options: ConnectOptions): VoiceAudio {
  const isWanted = options.microphone !== false || options.speaker !== false
  return isWanted && typeof AudioContext === 'function' ? new BrowserAudio(options) : noAudio
}
