import { type Codec, encodeG711 } from '@parley/telephone'
import { Resampler } from './resample.js'

const telephoneRate = 8000

/** Converts the audio of a provider, frame by frame, to the format of the client. */
export class ProviderAudio {
  readonly #codec: Codec
  /** Null if the client takes the audio unchanged. */
  readonly #resampler: Resampler | null

  /** `format` is the media type of the client's audio: PCM16 at the rate of the provider, or G.711. */
  constructor(format: string, rate: number) {
    this.#codec = format === 'audio/pcma' ? 'g711_alaw' : 'g711_ulaw'
    this.#resampler = /^audio\/pcm[ua]$/.test(format) ? new Resampler(rate, telephoneRate) : null
  }

  /** Converts Base64 to Base64. A frame holds whole samples. */
  convert(audio: string): string {
    if (this.#resampler === null) return audio
    const bytes = Buffer.from(audio, 'base64')
    const samples = Int16Array.from({ length: bytes.length >> 1 }, (_, index) => bytes.readInt16LE(2 * index))
    return encodeG711(this.#resampler.push(samples), this.#codec).toString('base64')
  }
}
