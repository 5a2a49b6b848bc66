// Copied from packages/engine/src/audio/sinc-filter.ts by `npm run generate`. Do not edit.

/**
 * A windowed sinc filter from one rate to another: one set of weights for each position that an output sample can have between
 * two input samples.
 */
export interface SincFilter {
  /** Places between two input samples. */
  readonly steps: number
  /** How many of them lie between two output samples. */
  readonly stride: number
  readonly taps: number
  readonly weights: readonly Float32Array[]
}

export interface SincShape {
  /** How far the filter reaches to each side. */
  readonly zeroCrossings: number
  /** Of the band, the part that passes; the rest is where the filter falls. */
  readonly passBand: number
}

export function makeSincFilter(fromRate: number, toRate: number, shape: SincShape): SincFilter {
  const divisor = greatestCommonDivisor(fromRate, toRate)
  const steps = toRate / divisor
  const ratio = Math.min(1, toRate / fromRate)
  const taps = 2 * Math.ceil(shape.zeroCrossings / ratio)
  const weights = Array.from({ length: steps }, (_, step) =>
    makeWeights(taps, step / steps, ratio * shape.passBand),
  )
  return { steps, stride: fromRate / divisor, taps, weights }
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
