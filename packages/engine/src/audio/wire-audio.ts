import { decodeALaw, decodeMuLaw, encodeALaw, encodeMuLaw } from './g711.js'
import { type AudioClip, bytesFromSamples, recognitionRate, samplesFromBytes } from './pcm.js'
import { Resampler, resampleClip } from './resampler.js'

/** Audio formats on the wire. The names are the protocol's. */
export type WireAudioFormat =
  | { readonly type: 'audio/pcm'; readonly rate: 24_000 }
  | { readonly type: 'audio/pcmu' }
  | { readonly type: 'audio/pcma' }

/** Converts a client's audio to the rate of speech recognition. Use one per stream, because chunks may end anywhere. */
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

/** Encodes a whole clip in the client's format. */
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

/** Decodes a whole clip that a client sent in one message. */
export function fromWire(bytes: Buffer, format: WireAudioFormat): AudioClip {
  const clip = { samples: decode(format, bytes), rate: wireRate(format) }
  return { samples: resampleClip(clip, recognitionRate), rate: recognitionRate }
}

/** Returns the number of bytes for a duration. */
export function wireBytes(format: WireAudioFormat, milliseconds: number): number {
  return ((wireRate(format) * milliseconds) / 1000) * (format.type === 'audio/pcm' ? 2 : 1)
}

/** Returns the duration of a number of bytes. */
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
