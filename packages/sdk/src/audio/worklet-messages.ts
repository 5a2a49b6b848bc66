import type { PlayedSamples, SpeechPart } from './playback-queue.js'

/** Messages from the page to the speaker's worklet. */
export type ToSpeaker =
  | ({ readonly type: 'play'; readonly samples: Int16Array } & SpeechPart)
  | { readonly type: 'finish'; readonly itemId: string }
  | { readonly type: 'cut'; readonly id: number }

export type FromSpeaker =
  | { readonly type: 'cut'; readonly id: number; readonly parts: readonly PlayedSamples[] }
  | { readonly type: 'playing'; readonly isPlaying: boolean }
  | { readonly type: 'level'; readonly level: number }

export interface FromMicrophone {
  readonly samples: Int16Array
  readonly level: number
}

export const microphoneName = 'parley-microphone'
export const speakerName = 'parley-speaker'
