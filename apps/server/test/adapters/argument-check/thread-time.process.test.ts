import { expect, test } from 'vitest'
import { computedMilliseconds, ownThreadNumber } from '#server/adapters/argument-check/thread-time.js'

const now = () => computedMilliseconds(ownThreadNumber()) ?? Number.NaN

test('[BND-2] the time that a thread computes counts, and the time that it waits does not', async () => {
  // Elsewhere than on Linux nobody tells, and the time of the clock counts.
  if (ownThreadNumber() === null) return expect(process.platform).not.toBe('linux')
  const begin = now()
  // The thread stands still, so that nothing else in it computes; other processes do not count.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
  const waited = now()
  expect(waited - begin).toBeLessThan(100)
  for (const until = waited + 100; now() < until; );
  expect(now() - waited).toBeGreaterThanOrEqual(100)
})

test('a thread that there is not has no time', () => {
  expect(computedMilliseconds(null)).toBeNull()
})
