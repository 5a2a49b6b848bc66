/** A value axis: the grid lines, and the position of a value from 0 to 1. */
export interface Scale {
  readonly steps: readonly number[]
  readonly share: (value: number) => number
}

const linesWanted = 6

/** From 0 to at least `max`. */
export function evenScale(max: number): Scale {
  const steps = roundSteps(max, linesWanted)
  const highest = steps.at(-1) ?? 1
  return { steps, share: (value) => Math.max(0, value) / highest }
}

/** A logarithmic axis with a line per factor of ten, for values of different magnitude. Values below `min` are 0. */
export function tenfoldScale(min: number, max: number): Scale {
  const tens = Math.max(1, Math.ceil(Math.log10(max / min)))
  const steps = Array.from({ length: tens + 1 }, (_, power) => min * 10 ** power)
  return { steps, share: (value) => Math.log10(Math.max(value, min) / min) / tens }
}

/** Returns about this many round numbers from 0 to at least this value. */
function roundSteps(max: number, count: number): number[] {
  const rough = max / count
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power
  return Array.from({ length: Math.ceil(max / step) + 1 }, (_, index) => index * step)
}
