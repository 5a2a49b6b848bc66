import { decodeG711 } from '@parley/telephone'
import { Resampler } from './resample.js'

const telephoneRate = 8000
const clientRate = 24_000

/** Converts the audio of a client, frame by frame, to PCM16 at the rate that a provider takes. */
export class ClientAudio {
  readonly #read: (bytes: Buffer) => Int16Array
  readonly #resampler: Resampler
  /** A byte of an incomplete sample. */
  #rest: Buffer = Buffer.alloc(0)

  /** `format` is the media type of the client's audio: PCM16 at 24 kHz, or G.711. */
  constructor(format: string, rate: number) {
    const isPcm = format === 'audio/pcm'
    const codec = format === 'audio/pcma' ? 'g711_alaw' : 'g711_ulaw'
    this.#read = isPcm ? (bytes) => this.#samplesOf(bytes) : (bytes) => decodeG711(bytes, codec)
    this.#resampler = new Resampler(isPcm ? clientRate : telephoneRate, rate)
  }

  /** Converts Base64 to Base64. */
  convert(audio: string): string {
    const { buffer, byteOffset, byteLength } = this.#resampler.push(this.#read(Buffer.from(audio, 'base64')))
    return Buffer.from(buffer, byteOffset, byteLength).toString('base64')
  }

  #samplesOf(received: Buffer): Int16Array {
    const bytes = this.#rest.length === 0 ? received : Buffer.concat([this.#rest, received])
    const length = bytes.length - (bytes.length % 2)
    this.#rest = Buffer.from(bytes.subarray(length))
    // The copy is aligned, unlike the received bytes.
    const samples = new Int16Array(length / 2)
    new Uint8Array(samples.buffer).set(bytes.subarray(0, length))
    return samples
  }
}
