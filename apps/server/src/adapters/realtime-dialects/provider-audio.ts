import { encodeG711 } from './g711.js'
import { Resampler } from './resample.js'

const telephoneRate = 8000

/** Converts the audio of a provider, frame by frame, to the format of the client. */
export class ProviderAudio {
  readonly #law: 'mu-law' | 'a-law'
  /** Null if the client takes the audio unchanged. */
  readonly #resampler: Resampler | null

  /** `format` is the media type of the client's audio: PCM16 at the rate of the provider, or G.711. */
  constructor(format: string, rate: number) {
    this.#law = format === 'audio/pcma' ? 'a-law' : 'mu-law'
    this.#resampler = /^audio\/pcm[ua]$/.test(format) ? new Resampler(rate, telephoneRate) : null
  }

  /** Converts Base64 to Base64. A frame holds whole samples. */
  convert(audio: string): string {
    if (this.#resampler === null) return audio
    const bytes = Buffer.from(audio, 'base64')
    const samples = Int16Array.from({ length: bytes.length >> 1 }, (_, index) => bytes.readInt16LE(2 * index))
    return Buffer.from(encodeG711(this.#resampler.push(samples), this.#law)).toString('base64')
  }
}
