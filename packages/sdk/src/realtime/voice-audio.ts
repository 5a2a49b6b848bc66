import type { VoiceEnd } from './voice-end.js'

/** What is known of microphone and speaker. */
export interface MediaState {
  /** `lost` where the device went away in mid-session and no other could be had. */
  readonly microphone: 'off' | 'on' | 'muted' | 'lost'
  readonly microphoneId: string | null
  readonly microphoneLabel: string | null
  /** What the browser says it does, whatever it was asked for; null where it does not say. */
  readonly isEchoCancelled: boolean | null
  /** False while the browser holds sound back until the person touches the page. */
  readonly isAudible: boolean
}

export const noMedia: MediaState = {
  microphone: 'off',
  microphoneId: null,
  microphoneLabel: null,
  isEchoCancelled: null,
  isAudible: false,
}

/** A piece of an answer: 24 000 samples a second, one channel. */
export interface SpeechChunk {
  readonly itemId: string
  readonly contentIndex: number
  readonly samples: Int16Array
}

/** A part of an answer, and how much of it left the speaker. */
export interface PlayedPart {
  readonly itemId: string
  readonly contentIndex: number
  readonly playedMilliseconds: number
}

export interface AudioListener {
  /** What the microphone took: 24 000 samples a second, one channel. */
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

/** Microphone and speaker, wherever they are. The audio outlives sessions: a reconnect does not touch it. */
export interface VoiceAudio {
  /** Whether what is sent to `play` is really heard. */
  readonly hasSpeaker: boolean
  /** Null where all is well. */
  start(listener: AudioListener): Promise<VoiceEnd | null>
  play(chunk: SpeechChunk): void
  /** No more of this item comes: what is there is to be played, however little it is. */
  finish(itemId: string): void
  /** Falls silent at once, and reports what had been queued: the part that was being heard first. Empty where all had been played. */
  cut(): Promise<readonly PlayedPart[]>
  mute(isMuted: boolean): void
  useMicrophone(deviceId: string): Promise<void>
  useSpeaker(deviceId: string): Promise<void>
  close(): void
}

/** Where there is neither: sound goes in by `sendAudio` and comes out as `audio` events. */
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
