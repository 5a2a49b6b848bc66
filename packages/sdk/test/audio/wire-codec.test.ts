import { describe, expect, test } from 'vitest'
import { makeDecoder, makeEncoder } from '#sdk/audio/wire-codec.js'

const words = Int16Array.from({ length: 24_000 }, (_, place) => Math.round(12_000 * Math.sin(place / 12)))

describe('Wire audio', () => {
  test('is 16-bit little-endian for pcm16 [SDK-31]', () => {
    const base64 = makeEncoder('pcm16')(Int16Array.of(1, -2, 32_767, -32_768))
    expect(Buffer.from(base64, 'base64')).toEqual(Buffer.of(1, 0, 0xfe, 0xff, 0xff, 0x7f, 0, 0x80))
    expect(makeDecoder('pcm16')(base64)).toEqual(Int16Array.of(1, -2, 32_767, -32_768))
  })

  test.each(['g711_ulaw', 'g711_alaw'] as const)(
    'has a third of the samples for %s and sounds similar [SDK-31]',
    (format) => {
      const base64 = makeEncoder(format)(words)
      expect(Math.abs(Buffer.from(base64, 'base64').length - 8000)).toBeLessThan(3)
      const back = makeDecoder(format)(base64)
      const power = (samples: Int16Array) =>
        samples.subarray(2000, 22_000).reduce((sum, sample) => sum + sample * sample, 0)
      expect(power(back) / power(words)).toBeCloseTo(1, 1)
    },
  )
})
