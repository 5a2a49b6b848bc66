import { decodeALaw, decodeMuLaw, encodeALaw, encodeMuLaw } from './g711.js'
import { type AudioClip, bytesFromSamples, recognitionRate, samplesFromBytes } from './pcm.js'
import { Resampler, resampleClip } from './resampler.js'

/** How sound travels: the names are the protocol's. */
export type WireAudioFormat =
  | { readonly type: 'audio/pcm'; readonly rate: 24_000 }
  | { readonly type: 'audio/pcmu' }
  | { readonly type: 'audio/pcma' }

/** Converts what a client sends to the rate of recognition. One for each stream: chunks may end anywhere. */
export class WireDecoder {
  readonly #format: WireAudioFormat
  readonly #resampler: Resampler
  #halfSample: Buffer = Buffer.alloc(0)

  constructor(format: WireAudioFormat) {
    this.#format = format
    this.#resampler = new Resampler(wireRate(format), recognitionRate)
  }

  decode(bytes: Buffer): Int16Array {
    if (this.#format.type !== 'audio/pcm') return this.#resampler.push(decode(this.#format, bytes))
    const all = this.#halfSample.length === 0 ? bytes : Buffer.concat([this.#halfSample, bytes])
    this.#halfSample = all.subarray(all.length - (all.length % 2))
    return this.#resampler.push(decode(this.#format, all))
  }
}

/** A whole clip, as the client wants to have it. */
export function toWire(clip: AudioClip, format: WireAudioFormat): Buffer {
  const samples = resampleClip(clip, wireRate(format))
  switch (format.type) {
    case 'audio/pcm':
      return bytesFromSamples(samples)
    case 'audio/pcmu':
      return encodeMuLaw(samples)
    case 'audio/pcma':
      return encodeALaw(samples)
  }
}

/** A whole clip that a client sent in one piece. */
export function fromWire(bytes: Buffer, format: WireAudioFormat): AudioClip {
  const clip = { samples: decode(format, bytes), rate: wireRate(format) }
  return { samples: resampleClip(clip, recognitionRate), rate: recognitionRate }
}

/** The bytes that so much time takes. */
export function wireBytes(format: WireAudioFormat, milliseconds: number): number {
  return ((wireRate(format) * milliseconds) / 1000) * (format.type === 'audio/pcm' ? 2 : 1)
}

/** The time that so many bytes take. */
export function wireMilliseconds(format: WireAudioFormat, bytes: number): number {
  return bytes / wireBytes(format, 1)
}

function wireRate(format: WireAudioFormat): number {
  return format.type === 'audio/pcm' ? format.rate : 8000
}

function decode(format: WireAudioFormat, bytes: Buffer): Int16Array {
  switch (format.type) {
    case 'audio/pcm':
      return samplesFromBytes(bytes)
    case 'audio/pcmu':
      return decodeMuLaw(bytes)
    case 'audio/pcma':
      return decodeALaw(bytes)
  }
}
