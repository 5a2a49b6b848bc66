import { type AudioClip, toFloat, toInt16 } from './pcm.js'

const halfWidthSamples = 12

/**
 * Changes the rate of a stream of sound, chunk by chunk, by a windowed sinc filter: one set of weights for each place
 * that an output sample can take between two input samples. What the filter still needs is kept for the next chunk.
 */
export class Resampler {
  readonly #steps: number
  readonly #stride: number
  readonly #taps: number
  readonly #weights: readonly Float32Array[]
  #kept: Float32Array
  /** The next output sample's place in what is kept, in steps. */
  #position = 0

  constructor(fromRate: number, toRate: number) {
    const divisor = greatestCommonDivisor(fromRate, toRate)
    this.#steps = toRate / divisor
    this.#stride = fromRate / divisor
    const ratio = Math.min(1, toRate / fromRate)
    this.#taps = 2 * Math.ceil(halfWidthSamples / ratio)
    this.#weights = Array.from({ length: this.#steps }, (_, step) =>
      makeWeights(this.#taps, step / this.#steps, ratio * 0.95),
    )
    this.#kept = new Float32Array(this.#taps / 2 - 1)
  }

  push(samples: Int16Array): Int16Array {
    return toInt16(this.#run(toFloat(samples)))
  }

  /** What is left at the end of the stream. */
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

/** The whole clip at another rate. */
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

function makeWeights(taps: number, offset: number, cutoff: number): Float32Array {
  const weights = Float32Array.from({ length: taps }, (_, tap) => {
    const distance = tap - taps / 2 + 1 - offset
    return sinc(distance * cutoff) * blackman(distance, taps)
  })
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return weights.map((weight) => weight / sum)
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x)
}

function blackman(distance: number, width: number): number {
  if (Math.abs(distance) > width / 2) return 0
  const angle = (2 * Math.PI * distance) / width
  return 0.42 + 0.5 * Math.cos(angle) + 0.08 * Math.cos(2 * angle)
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b)
}
