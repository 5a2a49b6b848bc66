import { decodeG711 } from '@parley/telephone'
import { describe, expect, test } from 'vitest'
import { Resampler } from '#server/adapters/realtime-dialects/resample.js'

const amplitude = 20_000

function tone(hertz: number, rate: number, seconds = 1): Int16Array {
  return Int16Array.from({ length: rate * seconds }, (_, index) =>
    Math.round(amplitude * Math.sin((2 * Math.PI * hertz * index) / rate)),
  )
}

/** The level of the whole signal compared with the tone, without the first samples, in decibels. */
function level(samples: Int16Array): number {
  const steady = samples.subarray(100)
  const power = steady.reduce((sum, sample) => sum + sample ** 2, 0) / steady.length
  return 10 * Math.log10(power / (amplitude ** 2 / 2))
}

const resample = (samples: Int16Array, from: number, to: number) =>
  new Resampler(from, to).push(samples).slice()

function inFrames(samples: Int16Array, sizes: readonly number[]): Int16Array {
  const resampler = new Resampler(24_000, 16_000)
  const parts: number[] = []
  let start = 0
  for (let index = 0; start < samples.length; index += 1) {
    const end = start + (sizes[index % sizes.length] ?? 1)
    parts.push(...resampler.push(samples.subarray(start, end)))
    start = end
  }
  return Int16Array.from(parts)
}

describe('resampling from 24 kHz to 16 kHz', () => {
  test.each([100, 1000, 3000, 5000, 6000])('keeps a tone of %i Hz within 1 dB', (hertz) => {
    expect(Math.abs(level(resample(tone(hertz, 24_000), 24_000, 16_000)))).toBeLessThan(1)
  })

  test.each([10_000, 10_500, 11_000, 11_900])('removes a tone of %i Hz', (hertz) => {
    expect(level(resample(tone(hertz, 24_000), 24_000, 16_000))).toBeLessThan(-60)
  })

  test('keeps the frequency of a tone', () => {
    const samples = resample(tone(440, 24_000), 24_000, 16_000)
    const upward = samples.subarray(1).filter((sample, index) => sample >= 0 && (samples[index] ?? 0) < 0)
    expect(upward.length).toBeGreaterThan(437)
    expect(upward.length).toBeLessThan(441)
  })

  test.each([[[1]], [[480]], [[7, 0, 23, 1, 500, 2]], [[2400, 11]], [[20_000]]])(
    'returns the same samples for frames of %j samples',
    (sizes) => {
      const samples = tone(700, 24_000)
      expect(inFrames(samples, sizes)).toEqual(resample(samples, 24_000, 16_000))
    },
  )

  test('returns two samples for three, and is less than a millisecond late', () => {
    expect(resample(tone(440, 24_000), 24_000, 16_000)).toHaveLength(16_000 - 8)
  })

  test('clips instead of wrapping around', () => {
    const square = Int16Array.from({ length: 2400 }, (_, index) => (index % 48 < 24 ? 32_767 : -32_768))
    const samples = resample(square, 24_000, 16_000)
    // The sample 0.5 ms after each edge has the sign of its half.
    for (let index = 24; index < samples.length; index += 1)
      if (index % 32 > 4 && index % 32 < 12) expect(samples[index]).toBeGreaterThan(0)
  })

  test('uses its memory again', () => {
    const resampler = new Resampler(24_000, 16_000)
    const frame = tone(440, 24_000).subarray(0, 480)
    resampler.push(frame)
    expect(resampler.push(frame).buffer).toBe(resampler.push(frame).buffer)
  })
})

test('speech of a telephone is resampled from 8 kHz to 16 kHz', () => {
  const samples = resample(tone(1000, 8000), 8000, 16_000)
  expect(samples.length).toBeGreaterThan(15_900)
  expect(Math.abs(level(samples))).toBeLessThan(1)
})

test('G.711 codes are decoded as in the standard', () => {
  const codes = Uint8Array.of(0xff, 0x7f, 0x80, 0x00, 0xf0)
  expect([...decodeG711(codes, 'g711_ulaw')]).toEqual([0, 0, 32_124, -32_124, 120])
  expect([...decodeG711(Uint8Array.of(0xd5, 0x55, 0xaa, 0x2a), 'g711_alaw')]).toEqual([
    8, -8, 32_256, -32_256,
  ])
})
