import { describe, expect, test } from 'vitest'
import { Resampler, resample } from '#sdk/audio/resampler.js'

const tone = (hertz: number, rate: number, seconds: number) =>
  Float32Array.from({ length: rate * seconds }, (_, place) => Math.sin((2 * Math.PI * hertz * place) / rate))

/**
 * Returns the level in decibels relative to full scale. Leaves out both ends, where the filter is not filled.
 */
function loudness(samples: readonly number[]): number {
  const middle = samples.slice(500, -500)
  const power = middle.reduce((sum, sample) => sum + sample * sample, 0) / middle.length
  return 10 * Math.log10(power * 2)
}

describe('The resampler', () => {
  const rates = [8000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000]

  test.each(rates)('keeps speech from %d Hz and adds nothing to it [SDK-31]', (rate) => {
    const made = resample(new Resampler(rate, 24_000), tone(1000, rate, 1))
    expect(Math.abs(made.length - 24_000)).toBeLessThanOrEqual(3)
    expect(loudness(made)).toBeCloseTo(0, 1)
  })

  test.each([44_100, 48_000, 96_000])(
    'removes frequencies of %d Hz audio that do not fit into 24 000 Hz [SDK-31]',
    (rate) => {
      const made = resample(new Resampler(rate, 24_000), tone(14_500, rate, 1))
      expect(loudness(made)).toBeLessThan(-70)
    },
  )

  test('joins pieces without a seam [SDK-31]', () => {
    const whole = tone(700, 48_000, 0.2)
    const pieces = new Resampler(48_000, 24_000)
    const joined = [0, 127, 128, 4000].flatMap((start, index, starts) =>
      resample(pieces, whole.subarray(start, starts[index + 1])),
    )
    expect(joined).toEqual(resample(new Resampler(48_000, 24_000), whole))
  })
})
