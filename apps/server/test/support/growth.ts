import { expect } from 'vitest'

const factors = [1, 4, 16] as const
/**
 * The first is made with cold code. A busy machine needs more attempts than a quiet one: when the second has shown enough,
 * there are no others.
 */
const minAttempts = 2
const maxAttempts = 15
/** Sixteen times the input takes about sixteen times as long, and not 256 times. */
const linearExponent = 1.3
/** Below this the clock and the collector say more than the work does. */
const noiseMilliseconds = 2
/** Whatever takes this long needs no second attempt. */
const longMilliseconds = 2000

/**
 * How the time of some work grows with the size of its input: 1 where it is proportional, 2 where it is quadratic. The
 * best of several attempts at each of three sizes, in time of this process: a busy machine makes everything slow.
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
