import { expect } from 'vitest'

const factors = [1, 4, 16] as const
/**
 * The first attempt runs cold code. A busy machine needs more attempts; if the second one is conclusive, no
 * others follow.
 */
const minAttempts = 2
const maxAttempts = 15
/**
 * Linear work takes about sixteen times as long for sixteen times the input. Quadratic work takes 256 times
 * as long.
 */
const linearExponent = 1.3
/** Below this time, the clock and the garbage collector distort the result. */
const noiseMilliseconds = 2
/** Work that takes this long needs no second attempt. */
const longMilliseconds = 2000

/**
 * Measures how time grows with the input size: 1 is linear, 2 is quadratic. Uses the best CPU time of
 * several attempts at each of three sizes, because a busy machine is slow at everything.
 */
async function growthExponent<Input>(
  makeInput: (factor: number) => Input,
  work: (input: Input) => unknown,
): Promise<number> {
  const best = new Map<number, number>()
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    for (const factor of factors) {
      const input = makeInput(factor)
      const start = process.cpuUsage()
      await work(input)
      const { user, system } = process.cpuUsage(start)
      const milliseconds = (user + system) / 1000
      best.set(factor, Math.min(best.get(factor) ?? milliseconds, milliseconds))
      if (factor > 1 && milliseconds > longMilliseconds) return exponentAt(best, factor)
    }
    if (attempt >= minAttempts && exponentAt(best, 16) < linearExponent) break
  }
  return exponentAt(best, 16)
}

function exponentAt(best: ReadonlyMap<number, number>, factor: number): number {
  const [small, large] = [1, factor].map((each) => Math.max(best.get(each) ?? 0, noiseMilliseconds))
  return Math.log((large ?? 0) / (small ?? 1)) / Math.log(factor)
}

export async function expectLinear<Input>(
  makeInput: (factor: number) => Input,
  work: (input: Input) => unknown,
): Promise<void> {
  expect(await growthExponent(makeInput, work)).toBeLessThan(linearExponent)
}
