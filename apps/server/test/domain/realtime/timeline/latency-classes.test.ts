import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addCount, latencyClassOf, percentileOf } from '#server/domain/realtime/timeline/latencies.js'

const countsOf = (latencies: readonly number[]) => {
  const counts: number[] = []
  for (const latency of latencies) addCount(counts, latencyClassOf(latency), 1)
  return counts
}

test('a percentile of latency classes is at most a fifth off the percentile of the latencies [RT-42]', () => {
  expect(percentileOf([], 0.5)).toBeNull()
  const latency = fc.integer({ min: 50, max: 50_000 })
  fc.assert(
    fc.property(fc.array(latency, { minLength: 1 }), fc.constantFrom(0.5, 0.95), (latencies, share) => {
      const sorted = [...latencies].sort((one, other) => one - other)
      const exact = sorted[Math.ceil(sorted.length * share) - 1] ?? 0
      const found = percentileOf(countsOf(latencies), share) ?? 0
      expect(found / exact).toBeGreaterThan(1 / 1.2)
      expect(found / exact).toBeLessThan(1.2)
    }),
  )
})

test('it is at most a tenth off for many latencies, and values out of range count at the ends [RT-42]', () => {
  const latencies = Array.from({ length: 10_000 }, (_, index) => 300 + index * 0.2)
  expect((percentileOf(countsOf(latencies), 0.5) ?? 0) / 1300).toBeCloseTo(1, 1)
  expect((percentileOf(countsOf(latencies), 0.95) ?? 0) / 2200).toBeCloseTo(1, 1)
  expect(percentileOf(countsOf([0]), 0.5)).toBeLessThan(50)
  expect(percentileOf(countsOf([1e9]), 0.5)).toBeGreaterThan(40_000)
})
