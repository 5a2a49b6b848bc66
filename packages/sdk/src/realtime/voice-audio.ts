import type { VoiceEnd } from './voice-end.js'

/** The state of microphone and speaker. */
export interface MediaState {
  /** `lost` if the device disappeared and no other was available. */
  readonly microphone: 'off' | 'on' | 'muted' | 'lost'
  readonly microphoneId: string | null
  readonly microphoneLabel: string | null
  /** The value that the browser reports, which may differ from the request. `null` if not reported. */
  readonly isEchoCancelled: boolean | null
  /** False while the browser blocks audio until a user gesture. */
  readonly isAudible: boolean
}

export const noMedia: MediaState = {
  microphone: 'off',
  microphoneId: null,
  microphoneLabel: null,
  isEchoCancelled: null,
  isAudible: false,
}

/** A chunk of an answer: 24 000 samples a second, mono. */
export interface SpeechChunk {
  readonly itemId: string
  readonly contentIndex: number
  readonly samples: Int16Array
}

/** A part of an answer, and its played length. */
export interface PlayedPart {
  readonly itemId: string
  readonly contentIndex: number
  readonly playedMilliseconds: number
}

export interface AudioListener {
  /** A chunk from the microphone: 24 000 samples a second, mono. */
  onInput(samples: Int16Array): void
  onPlaying(isPlaying: boolean): void
  onLevels(levels: Partial<Levels>): void
  onMedia(media: MediaState): void
}

/** Loudness from 0 to 1. */
export interface Levels {
  readonly input: number
  readonly output: number
}

/** Microphone and speaker. They outlive sessions: a reconnect does not affect them. */
export interface VoiceAudio {
  /** Whether audio passed to `play` is really heard. */
  readonly hasSpeaker: boolean
  /** Null if there is no problem. */
  start(listener: AudioListener): Promise<VoiceEnd | null>
  play(chunk: SpeechChunk): void
  /** Marks an item as complete. The rest is played, however short it is. */
  finish(itemId: string): void
  /** Stops immediately, and returns the queued parts, beginning with the one being heard. Empty if all had been played. */
  cut(): Promise<readonly PlayedPart[]>
  mute(isMuted: boolean): void
  useMicrophone(deviceId: string): Promise<void>
  useSpeaker(deviceId: string): Promise<void>
  close(): void
}

/** Without devices: `sendAudio` accepts audio, and `audio` events deliver it. */
export const noAudio: VoiceAudio = {
  hasSpeaker: false,
  start: async () => null,
  play: () => undefined,
  finish: () => undefined,
  cut: async () => [],
  mute: () => undefined,
  useMicrophone: async () => undefined,
  useSpeaker: async () => undefined,
  close: () => undefined,
}
