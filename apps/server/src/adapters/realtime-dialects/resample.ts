const taps = 24
/** The part of the lower rate's band that passes, and the Kaiser window's shape: -0.1 dB at 6 kHz, -60 dB at 10 kHz. */
const passBand = 0.975
const windowShape = 6.3

/** How far the filter looks ahead, in input samples. */
const lookAhead = taps / 2

/**
 * Resamples a stream of PCM16, frame by frame: from 24 kHz to 16 kHz with a 3:2 polyphase filter, and between other
 * rates alike. The split into frames does not change the result. The output is `taps / 2` input samples late.
 */
export class Resampler {
  readonly #steps: number
  readonly #stride: number
  /** The filter for each position that an output sample can have between two input samples. */
  readonly #weights: readonly Float64Array[]
  /** Input samples that later output needs, from the next output sample on. Unused room follows. */
  #samples = new Float64Array(4096)
  #count = lookAhead - 1
  /** The position of the next output sample after the first kept sample, in steps. */
  #position = 0
  #output = new Int16Array(0)

  constructor(fromRate: number, toRate: number) {
    const divisor = greatestCommonDivisor(fromRate, toRate)
    this.#steps = toRate / divisor
    this.#stride = fromRate / divisor
    const cutoff = Math.min(1, toRate / fromRate) * passBand
    this.#weights = Array.from({ length: this.#steps }, (_, step) => makeWeights(step / this.#steps, cutoff))
  }

  /** Returns the next samples. Their memory is used again by the next call. */
  push(input: Int16Array): Int16Array {
    this.#append(input)
    const maxLength = Math.ceil((this.#count * this.#steps) / this.#stride) + 1
    if (this.#output.length < maxLength) this.#output = new Int16Array(maxLength)
    const output = this.#output
    const samples = this.#samples
    const lastStart = this.#count - taps
    let position = this.#position
    let length = 0
    for (;;) {
      const step = position % this.#steps
      const start = (position - step) / this.#steps
      const weights = this.#weights[step]
      if (start > lastStart || weights === undefined) break
      let sum = 0
      for (let tap = 0; tap < taps; tap += 1) sum += (samples[start + tap] ?? 0) * (weights[tap] ?? 0)
      output[length] = clamp(Math.round(sum))
      length += 1
      position += this.#stride
    }
    const used = Math.min(Math.floor(position / this.#steps), this.#count)
    samples.copyWithin(0, used, this.#count)
    this.#count -= used
    this.#position = position - used * this.#steps
    return output.subarray(0, length)
  }

  #append(input: Int16Array): void {
    const count = this.#count + input.length
    if (count > this.#samples.length) {
      const larger = new Float64Array(2 * count)
      larger.set(this.#samples.subarray(0, this.#count))
      this.#samples = larger
    }
    this.#samples.set(input, this.#count)
    this.#count = count
  }
}

/** A windowed sinc filter whose center is `offset` input samples after the middle. Its weights add up to 1. */
function makeWeights(offset: number, cutoff: number): Float64Array {
  const weights = Float64Array.from({ length: taps }, (_, tap) => {
    const distance = tap - (lookAhead - 1) - offset
    return sinc(distance * cutoff) * kaiser(distance / lookAhead)
  })
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return weights.map((weight) => weight / sum)
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x)
}

function kaiser(distance: number): number {
  return Math.abs(distance) < 1 ? bessel(windowShape * Math.sqrt(1 - distance ** 2)) : 0
}

/** The modified Bessel function of the first kind, of order zero. The window needs no constant factor. */
function bessel(x: number): number {
  let sum = 1
  let term = 1
  for (let index = 1; index < 30; index += 1) {
    term *= (x / (2 * index)) ** 2
    sum += term
  }
  return sum
}

function clamp(sample: number): number {
  return Math.max(-32_768, Math.min(32_767, sample))
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b)
}
