/** How far the filter reaches to each side, in zero crossings. */
const zeroCrossings = 16
/** Of the band, the part that passes; the rest is where the filter falls. */
const passBand = 0.92

/**
 * Changes the rate of a stream of sound by a windowed sinc filter, sample by sample: one set of weights for each place that
 * an output sample can take between two input samples.
 */
export class Resampler {
  readonly #steps: number
  readonly #stride: number
  readonly #taps: number
  readonly #weights: readonly Float32Array[]
  /** The newest input, twice in a row, so that the newest taps stand together wherever the ring begins. */
  readonly #line: Float32Array
  #head = 0
  /** The next output's place after the newest input sample, in steps. */
  #phase = 0

  constructor(fromRate: number, toRate: number) {
    const divisor = greatestCommonDivisor(fromRate, toRate)
    this.#steps = toRate / divisor
    this.#stride = fromRate / divisor
    const ratio = Math.min(1, toRate / fromRate)
    this.#taps = fromRate === toRate ? 1 : 2 * Math.ceil(zeroCrossings / ratio)
    this.#weights = Array.from({ length: this.#steps }, (_, step) =>
      makeWeights(this.#taps, step / this.#steps, ratio * passBand),
    )
    this.#line = new Float32Array(this.#taps * 2)
    this.#phase = this.#steps
  }

  /** The next output sample, from as many input samples as it takes. */
  pull(take: () => number): number {
    while (this.#phase >= this.#steps) this.#insert(take())
    return this.#output()
  }

  /** Hands out what an input sample brings forth. */
  push(sample: number, emit: (sample: number) => void): void {
    this.#insert(sample)
    while (this.#phase < this.#steps) emit(this.#output())
  }

  #insert(sample: number): void {
    this.#line[this.#head] = sample
    this.#line[this.#head + this.#taps] = sample
    this.#head = (this.#head + 1) % this.#taps
    this.#phase -= this.#steps
  }

  #output(): number {
    const weights = this.#weights[this.#phase]
    const line = this.#line
    const start = this.#head
    let sum = 0
    if (weights !== undefined)
      for (let tap = 0; tap < weights.length; tap += 1) sum += (line[start + tap] ?? 0) * (weights[tap] ?? 0)
    this.#phase += this.#stride
    return sum
  }
}

/** A whole piece at another rate; state stays in the resampler, so that pieces join without a seam. */
export function resample(resampler: Resampler, samples: Float32Array): number[] {
  const output: number[] = []
  for (const sample of samples) resampler.push(sample, (made) => void output.push(made))
  return output
}

function makeWeights(taps: number, offset: number, cutoff: number): Float32Array {
  if (taps === 1) return Float32Array.of(1)
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
