/** A value axis: the grid lines, and the position of a value from 0 to 1. */
export interface Scale {
  readonly steps: readonly number[]
  readonly share: (value: number) => number
}

const linesWanted = 6

/** From 0 to at least `most`. */
export function evenScale(most: number): Scale {
  const steps = roundSteps(most, linesWanted)
  const highest = steps.at(-1) ?? 1
  return { steps, share: (value) => Math.max(0, value) / highest }
}

/** A logarithmic axis with a line per factor of ten, for values of different magnitude. Values below `least` are 0. */
export function tenfoldScale(least: number, most: number): Scale {
  const tens = Math.max(1, Math.ceil(Math.log10(most / least)))
  const steps = Array.from({ length: tens + 1 }, (_, power) => least * 10 ** power)
  return { steps, share: (value) => Math.log10(Math.max(value, least) / least) / tens }
}

/** Returns about this many round numbers from 0 to at least this value. */
function roundSteps(most: number, count: number): number[] {
  const rough = most / count
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, index) => index * step)
}
