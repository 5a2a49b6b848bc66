import { type AudioClip, toFloat, toInt16 } from './pcm.js'
import { makeSincFilter } from './sinc-filter.js'

const shape = { zeroCrossings: 12, passBand: 0.95 } as const

/** Resamples an audio stream chunk by chunk. Keeps the samples that the filter needs for the next chunk. */
export class Resampler {
  readonly #steps: number
  readonly #stride: number
  readonly #taps: number
  readonly #weights: readonly Float32Array[]
  #kept: Float32Array
  /** The position of the next output sample in the kept samples, in steps. */
  #position = 0

  constructor(fromRate: number, toRate: number) {
    const { steps, stride, taps, weights } = makeSincFilter(fromRate, toRate, shape)
    this.#steps = steps
    this.#stride = stride
    this.#taps = taps
    this.#weights = weights
    this.#kept = new Float32Array(this.#taps / 2 - 1)
  }

  push(samples: Int16Array): Int16Array {
    return toInt16(this.#run(toFloat(samples)))
  }

  /** Returns the remaining samples at the end of the stream. */
  flush(): Int16Array {
    return toInt16(this.#run(new Float32Array(this.#taps / 2)))
  }

  #run(chunk: Float32Array): Float32Array {
    const input = new Float32Array(this.#kept.length + chunk.length)
    input.set(this.#kept)
    input.set(chunk, this.#kept.length)
    const output = new Float32Array(Math.ceil((input.length * this.#steps) / this.#stride) + 1)
    let length = 0
    let position = this.#position
    for (;;) {
      const start = Math.floor(position / this.#steps)
      const weights = this.#weights[position % this.#steps]
      if (start + this.#taps > input.length || weights === undefined) break
      let sum = 0
      for (let tap = 0; tap < weights.length; tap += 1) sum += (input[start + tap] ?? 0) * (weights[tap] ?? 0)
      output[length] = sum
      length += 1
      position += this.#stride
    }
    const used = Math.min(Math.floor(position / this.#steps), input.length)
    this.#kept = input.slice(used)
    this.#position = position - used * this.#steps
    return output.subarray(0, length)
  }
}

/** Resamples a whole clip. */
export function resampleClip(clip: AudioClip, rate: number): Int16Array {
  if (clip.rate === rate) return clip.samples
  const resampler = new Resampler(clip.rate, rate)
  const body = resampler.push(clip.samples)
  const rest = resampler.flush()
  const whole = new Int16Array(body.length + rest.length)
  whole.set(body)
  whole.set(rest, body.length)
  return whole.subarray(0, Math.round((clip.samples.length * rate) / clip.rate))
}
