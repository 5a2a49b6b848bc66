import { makeSincFilter, type SincFilter } from '../generated/sinc-filter.js'

const shape = { zeroCrossings: 16, passBand: 0.92 } as const
const unchanged: SincFilter = { steps: 1, stride: 1, taps: 1, weights: [Float32Array.of(1)] }

/** Changes the sample rate of a stream, sample by sample. */
export class Resampler {
  readonly #steps: number
  readonly #stride: number
  readonly #taps: number
  readonly #weights: readonly Float32Array[]
  /** The newest input, stored twice in a row, so that the newest taps are contiguous at every ring position. */
  readonly #line: Float32Array
  #head = 0
  /** The position of the next output after the newest input sample, in steps. */
  #phase = 0

  constructor(fromRate: number, toRate: number) {
    const filter = fromRate === toRate ? unchanged : makeSincFilter(fromRate, toRate, shape)
    this.#steps = filter.steps
    this.#stride = filter.stride
    this.#taps = filter.taps
    this.#weights = filter.weights
    this.#line = new Float32Array(this.#taps * 2)
    this.#phase = this.#steps
  }

  /** Returns the next output sample and reads as many input samples as it needs. */
  pull(take: () => number): number {
    while (this.#phase >= this.#steps) this.#insert(take())
    return this.#output()
  }

  /** Emits the output samples that one input sample produces. */
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

/** Resamples a whole piece. State stays in the resampler, so that pieces join without a seam. */
export function resample(resampler: Resampler, samples: Float32Array): number[] {
  const output: number[] = []
  for (const sample of samples) resampler.push(sample, (made) => void output.push(made))
  return output
}
