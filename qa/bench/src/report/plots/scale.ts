/** An axis of values: where its lines are, and how far up a value is, from 0 to 1. */
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

/** Each line is ten times the one below it, so that what is small can be seen beside what is large. Less than `least` is 0. */
export function tenfoldScale(least: number, most: number): Scale {
  const tens = Math.max(1, Math.ceil(Math.log10(most / least)))
  const steps = Array.from({ length: tens + 1 }, (_, power) => least * 10 ** power)
  return { steps, share: (value) => Math.log10(Math.max(value, least) / least) / tens }
}

/** About so many round numbers from 0 to at least this. */
function roundSteps(most: number, count: number): number[] {
  const rough = most / count
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, index) => index * step)
}
